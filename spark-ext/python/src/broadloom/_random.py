"""Tensors of random numbers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from broadloom._session import Broadloom
    from broadloom._tensor import Tensor


def sizes_of(sizes: Sequence[Any]) -> tuple[int, ...]:
    """A shape given as sizes, or as one tuple or list of them."""
    first = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    return tuple(int(size) for size in first)


def default_dtype(*numbers: Any) -> str:
    """PyTorch's dtype of numbers that have none."""
    if any(isinstance(number, float) for number in numbers):
        return "float32"
    return "bool" if all(isinstance(number, bool) for number in numbers) else "int64"


class Generator:
    """Random numbers of a seed, by PyTorch's names: ``loom.random(7).randn(3, 4)``.

    Each call takes the next stream of the seed, so that two calls give different numbers; a program that makes the same calls
    gives the same ones, with the same bits in Python, Java and Scala, however tensors are cut.
    """

    def __init__(self, loom: Broadloom, seed: int) -> None:
        self._loom = loom
        self._streams = itertools.count()
        self.seed = seed

    def _drawn(self, name: str, dtype: Any, sizes: Sequence[Any], *numbers: Any) -> Tensor:
        return self._loom._made(name, dtype, sizes, self.seed, next(self._streams), *numbers)

    def rand(self, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Evenly from 0 to below 1."""
        return self._drawn("rand", dtype, sizes)

    def randn(self, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Normally, of mean 0 and deviation 1."""
        return self.normal(0, 1, *sizes, dtype=dtype)

    def normal(self, mean: float, std: float, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Normally, of a mean and a deviation."""
        return self._drawn("normal", dtype, sizes, mean, std)

    def randint(self, low: int, high: int, *sizes: Any, dtype: Any = "int64") -> Tensor:
        """Integers from ``low`` to below ``high``, each as often as any other."""
        return self._drawn("randint", dtype, sizes, low, high)

    def bernoulli(self, p: Any, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Ones with the probability ``p``, else zeros; of a tensor of probabilities as many, of its dtype."""
        if isinstance(p, (bool, int, float)):
            return self._drawn("bernoulli", dtype, sizes, p)
        _require_floating(p.dtype)
        return (p > self.rand(p.shape, dtype="float64")).astype(p.dtype)

    def dropout(self, x: Tensor, p: float = 0.5) -> Tensor:
        """Each element zero with a probability, and the others divided by that of being kept."""
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        _require_floating(x.dtype)
        return x * self.bernoulli(1 - p, x.shape, dtype="bool") * (0.0 if p == 1 else 1 / (1 - p))

    def permutation(self, n: int) -> Tensor:
        """The integers from 0 to below ``n`` in random order."""
        return self._loom.call("argsort", self.randint(-(2**63), 2**63 - 1, n), 0)


def _require_floating(dtype: Any) -> None:
    if "float" not in str(dtype):
        raise TypeError(f"Cannot drop elements, or take probabilities, of {dtype}; convert them with astype to a floating dtype")
