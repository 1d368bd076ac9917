"""Tensors by the names of the Python array API standard (https://data-apis.org/array-api), version 2024.12.

    import broadloom.array_api as xp

    xp.sum(xp.exp(x - xp.max(x, axis=-1, keepdims=True)), axis=-1)

Every other function of ``docs/ops.md`` is here, too: ``xp.softmax(x, 0)``. What needs no tensor, as ``xp.zeros``, goes to the
active session. Floats without a dtype become float32. What is absent, and why, says ``docs/python-array-api.md``.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from broadloom import _text
from broadloom._session import Broadloom
from broadloom._tensor import Operand, Tensor

__array_api_version__ = "2024.12"
_VERSIONS = (None, "2021.12", "2022.12", "2023.12", "2024.12")

Axis = Union[int, tuple[int, ...], None]
Shape = Union[int, tuple[int, ...]]

e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None

float32, float64, float16 = np.dtype("float32"), np.dtype("float64"), np.dtype("float16")
uint8, int8, int16, int32, int64 = map(np.dtype, ("uint8", "int8", "int16", "int32", "int64"))
bool = np.dtype("bool")

#: Names of the standard for functions that PyTorch calls otherwise.
_RENAMED = {
    "bitwise_invert": "bitwise_not",
    "equal": "eq",
}


def checked(version: Optional[str]) -> Any:
    """This module, if it knows that version of the standard."""
    import broadloom.array_api as namespace

    if version not in _VERSIONS:
        raise ValueError(f"Cannot follow version {version} of the array API; 2021.12 to {__array_api_version__} are known")
    return namespace


def __getattr__(name: str) -> Callable[..., Tensor]:
    if name.startswith("_") or _RENAMED.get(name, name) not in _active().operations:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return functools.partial(_call, _RENAMED.get(name, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_RENAMED, *_active().operations})


@functools.cache
def _on(session: Any) -> Broadloom:
    return Broadloom.on(session)


def _active() -> Broadloom:
    from pyspark.sql import SparkSession

    return _on(SparkSession.active())


def _loom(*values: Any) -> Broadloom:
    found = next((value.loom for value in values if isinstance(value, Tensor)), None)
    return found or _active()


def _call(function: str, *arguments: Any, **keywords: Any) -> Tensor:
    return _loom(*arguments).call(function, *arguments, **keywords)


# Creation. What repeats one element keeps it once.


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Optional[builtins.bool] = None) -> Tensor:
    if not isinstance(obj, Tensor):
        plain = _plain(obj)
        tensor = _active().tensor(plain if dtype is None else np.asarray(plain).astype(dtype))
    else:
        tensor = obj if dtype is None or np.dtype(dtype) == obj.dtype else obj.astype(dtype)
        if copy and tensor is obj:
            tensor = Tensor(obj.loom, obj._handle)
    return tensor if device is None else tensor.to_device(device)


def from_dlpack(x: Any, /, *, device: Any = None, copy: Optional[builtins.bool] = None) -> Tensor:
    return asarray(np.from_dlpack(x), device=device)


def _plain(obj: Any) -> Any:
    """Nested sequences with tensors of one element among them, as NumPy takes them."""
    if isinstance(obj, (list, tuple)):
        return [_plain(each) for each in obj]
    return obj.item() if isinstance(obj, Tensor) else obj


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return broadcast_to(asarray(fill_value, dtype=dtype, device=device), sizes)


def zeros(shape: Shape, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full(shape, 0, dtype=dtype or float32, device=device)


def ones(shape: Shape, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full(shape, 1, dtype=dtype or float32, device=device)


def full_like(x: Tensor, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device or x.device)


def zeros_like(x: Tensor, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x: Tensor, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full_like(x, 1, dtype=dtype, device=device)


empty, empty_like = zeros, zeros_like  # nothing is written in place, so that zeros are what there is


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Tensor:
    start, stop = (0, start) if stop is None else (start, stop)
    return asarray(np.arange(start, stop, step, dtype=dtype or _default(start, stop, step)), device=device)


def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: builtins.bool = True
) -> Tensor:
    return asarray(np.linspace(start, stop, num, dtype=dtype or float32, endpoint=endpoint), device=device)


def eye(n_rows: int, n_cols: Optional[int] = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Tensor:
    return asarray(np.eye(n_rows, n_cols, k, dtype=dtype or float32), device=device)


def _default(*numbers: Any) -> np.dtype[Any]:
    return float32 if builtins.any(isinstance(number, float) for number in numbers) else int64


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list[Tensor]:
    grids = broadcast_arrays(*(_along(x, place, len(arrays)) for place, x in enumerate(arrays)))
    return [_call("transpose", grid, 0, 1) for grid in grids] if indexing == "xy" and len(arrays) > 1 else grids


def _along(x: Tensor, axis: int, rank: int) -> Tensor:
    return reshape(x, (1,) * axis + (-1,) + (1,) * (rank - axis - 1))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    return _triangle(x, operator.ge, k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    return _triangle(x, operator.le, k)


def _triangle(x: Tensor, keeps: Callable[[Any, Any], Any], k: int) -> Tensor:
    rows, columns = x.shape[-2:]
    kept = keeps(x.loom.tensor(np.arange(rows)[:, None] + k), np.arange(columns))
    return _call("where", kept, x, False if x.dtype == bool else 0)


# Dtypes.


def astype(x: Tensor, dtype: Any, /, *, copy: builtins.bool = True, device: Any = None) -> Tensor:
    return x.astype(dtype) if device is None else x.astype(dtype).to_device(device)


def result_type(*arrays_and_dtypes: Any) -> Any:
    return functools.reduce(operator.add, sorted(map(_sample, arrays_and_dtypes), key=_text.is_number)).dtype


def _sample(value: Any) -> Any:
    return value if _text.is_number(value) else zeros(1, dtype=_dtype(value))


def _dtype(value: Any) -> Any:
    return value.dtype if isinstance(value, Tensor) else np.dtype(value)


def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    return np.can_cast(_dtype(from_), to)


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    return np.isdtype(dtype, kind)


def finfo(type: Any, /) -> Any:
    info = np.finfo(_dtype(type))
    limits = {name: float(getattr(info, name)) for name in ("eps", "max", "min", "smallest_normal")}
    return SimpleNamespace(bits=info.bits, dtype=info.dtype, **limits)


def iinfo(type: Any, /) -> Any:
    return np.iinfo(_dtype(type))


def __array_namespace_info__() -> Any:
    """What this namespace can do, as the standard asks for it."""
    kinds: dict[str, list[np.dtype[Any]]] = {
        "bool": [bool],
        "signed integer": [int8, int16, int32, int64],
        "unsigned integer": [uint8],
        "real floating": [float32, float64],
    }
    kinds["integral"] = kinds["signed integer"] + kinds["unsigned integer"]
    kinds["numeric"] = kinds["integral"] + kinds["real floating"]
    every = kinds["bool"] + kinds["numeric"]

    def dtypes(*, device: Any = None, kind: Any = None) -> dict[str, Any]:
        wanted = kind if isinstance(kind, tuple) else (kind,)
        found = every if kind is None else [dtype for each in wanted for dtype in kinds.get(each, [])]
        return {dtype.name: dtype for dtype in found}

    return SimpleNamespace(
        capabilities=lambda: {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": None},
        default_device=lambda: "cpu",
        default_dtypes=lambda *, device=None: {"real floating": float32, "integral": int64, "indexing": int64},
        devices=lambda: ["cpu", "cuda", "auto"],
        dtypes=dtypes,
    )


# Reductions: `keepdims` and `axis` are PyTorch's `keepdim` and `dim`.


def _reduce(name: str, x: Tensor, axis: Axis, keepdims: builtins.bool, **keywords: Any) -> Tensor:
    if axis == ():  # over no axis: each element by itself, where PyTorch takes all
        return _call(name, expand_dims(x, axis=-1), dim=-1, **keywords)
    return _call(name, x, dim=axis, keepdim=keepdims, **keywords)


def _reduction(name: str) -> Callable[..., Tensor]:
    def reduction(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
        return _reduce(name, x, axis, keepdims)

    reduction.__name__ = reduction.__qualname__ = name
    return reduction


max, min, mean, argmax, argmin = map(_reduction, ("amax", "amin", "mean", "argmax", "argmin"))


def sum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("sum", x, axis, keepdims, dtype=dtype)


def prod(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("prod", x, axis, keepdims, dtype=dtype)


def all(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("all", x, axis, keepdims).astype(bool)


def any(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("any", x, axis, keepdims).astype(bool)


def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("sum", x != 0, axis, keepdims)


def var(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("var", x, axis, keepdims, correction=correction)


def std(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    return _reduce("std", x, axis, keepdims, correction=correction)


def cumulative_sum(
    x: Tensor, /, *, axis: Optional[int] = None, dtype: Any = None, include_initial: builtins.bool = False
) -> Tensor:
    return _cumulative("cumsum", 0, x, axis, dtype, include_initial)


def cumulative_prod(
    x: Tensor, /, *, axis: Optional[int] = None, dtype: Any = None, include_initial: builtins.bool = False
) -> Tensor:
    return _cumulative("cumprod", 1, x, axis, dtype, include_initial)


def _cumulative(
    name: str, start: int, x: Tensor, axis: Optional[int], dtype: Any, include_initial: builtins.bool
) -> Tensor:
    if axis is None and x.ndim != 1:
        raise ValueError(f"Cannot run along all {x.ndim} dimensions at once; name an axis")
    axis = _place(axis or 0, x.ndim)
    run = _call(name, x, axis, dtype=dtype)
    if not include_initial:
        return run
    return concat([full(x.shape[:axis] + (1,) + x.shape[axis + 1 :], start, dtype=run.dtype), run], axis=axis)


# Rearrangements.


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    return _call("broadcast_to", x, tuple(shape))


def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [broadcast_to(x, shape) for x in arrays]


def concat(arrays: Sequence[Tensor], /, *, axis: Optional[int] = 0) -> Tensor:
    if axis is None:
        return concat([reshape(x, (-1,)) for x in arrays])
    return _loom(*arrays).call("cat", tuple(arrays), axis)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    return _loom(*arrays).call("stack", tuple(arrays), axis)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    return tuple(_call("select", x, axis, row) for row in range(x.shape[axis]))


def expand_dims(x: Tensor, /, axis: int = 0) -> Tensor:
    return _call("unsqueeze", x, axis)


def squeeze(x: Tensor, /, axis: Union[int, tuple[int, ...]]) -> Tensor:
    for each in axis if isinstance(axis, tuple) else (axis,):
        if x.shape[_place(each, x.ndim)] != 1:
            raise ValueError(f"Cannot squeeze axis {each}: its size is {x.shape[each]}; only axes of size 1 can go")
    return _call("squeeze", x, axis)


def _place(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {axis})")
    return axis % rank


def flip(x: Tensor, /, *, axis: Axis = None) -> Tensor:
    return _call("flip", x, tuple(range(x.ndim)) if axis is None else axis)


def moveaxis(x: Tensor, source: Any, destination: Any, /) -> Tensor:
    return _call("movedim", x, source, destination)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    return _call("permute", x, tuple(axes))


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: Optional[builtins.bool] = None) -> Tensor:
    return _call("reshape", x, tuple(shape))


def repeat(x: Tensor, repeats: Union[int, Tensor], /, *, axis: Optional[int] = None) -> Tensor:
    """Counts that are a tensor come to the driver."""
    if axis is None:
        return repeat(reshape(x, (-1,)), repeats, axis=0)
    axis = _place(axis, x.ndim)
    if not isinstance(repeats, int):
        counts = np.broadcast_to(np.asarray(repeats), (x.shape[axis],))
        return take(x, asarray(np.repeat(np.arange(x.shape[axis]), counts)), axis=axis)
    before, size, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    spread = broadcast_to(expand_dims(x, axis=axis + 1), before + (size, repeats) + behind)
    return reshape(spread, before + (size * repeats,) + behind)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    return _call("tile", x, tuple(repetitions))


def roll(x: Tensor, /, shift: Union[int, tuple[int, ...]], *, axis: Axis = None) -> Tensor:
    if axis is None:
        return reshape(roll(reshape(x, (-1,)), shift, axis=0), x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for each, places in zip(axes, shifts):
        size = x.shape[each]
        cut = -places % size if size else 0
        if cut:
            head, tail = (_call("narrow", x, each, 0, cut), _call("narrow", x, each, cut, size - cut))
            x = concat([tail, head], axis=each)
    return x


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Optional[Tensor] = None, append: Optional[Tensor] = None
) -> Tensor:
    x = concat([part for part in (prepend, x, append) if part is not None], axis=axis)
    for _ in range(n):
        size = x.shape[axis]
        change = operator.xor if x.dtype == bool else operator.sub
        x = change(_call("narrow", x, axis, 1, size - 1), _call("narrow", x, axis, 0, size - 1))
    return x


# Elements by index.


def take(x: Tensor, indices: Tensor, /, *, axis: Optional[int] = None) -> Tensor:
    return _call("index_select", x, 0 if axis is None else axis, indices)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    return _call("take_along_dim", x, astype(indices, int64), axis)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Which elements are not zero is computed at once."""
    if not x.shape:
        raise ValueError("Cannot tell places in a tensor without dimensions: give one that has some")
    places = arange(math.prod(x.shape))[reshape(x != 0, (-1,))]
    strides = [math.prod(x.shape[d + 1 :]) for d in range(len(x.shape))]
    return tuple(places // stride % size for stride, size in zip(strides, x.shape))


def sort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    return _call("sort", x, axis, descending=descending)


def argsort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    return _call("argsort", x, axis, descending=descending)


def searchsorted(x1: Tensor, x2: Tensor, /, *, side: str = "left", sorter: Optional[Tensor] = None) -> Tensor:
    return _call("searchsorted", x1 if sorter is None else take(x1, sorter), x2, right=side == "right")


# Sets.


class UniqueAll(NamedTuple):
    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    values: Tensor
    inverse_indices: Tensor


# Of so many elements NumPy tells on the driver; more stay on the cluster, where a job puts them in order.
_FEW = 1 << 20


class _Distinct:
    """What is distinct among many elements."""

    def __init__(self, x: Tensor) -> None:
        self._x = x
        self._line = reshape(x, (-1,))
        ordered = sort(self._line).cache()
        self._first = concat([x.loom.tensor(np.asarray([True])[: self._line.shape[0]]), ordered[1:] != ordered[:-1]])
        self.values = ordered[self._first]

    def counts(self) -> Tensor:
        size = self._line.shape[0]
        starts = arange(size)[self._first]
        return concat([starts[1:], self._x.loom.tensor(np.asarray([size]))]) - starts

    def indices(self) -> Tensor:
        return argsort(self._line)[self._first]

    def inverse(self) -> Tensor:
        x, values = self._x, self.values
        if x.dtype == bool:
            x, values = astype(x, uint8), astype(values, uint8)
        if "int" in str(x.dtype):
            return searchsorted(values, x)
        numbers = int(sum(astype(values == values, int64)))
        found = searchsorted(values[:numbers], x)
        if numbers == values.shape[0]:
            return found
        nan = x != x  # each is one by itself, behind the numbers
        place = reshape(cumulative_sum(astype(reshape(nan, (-1,)), int64)), x.shape) + (numbers - 1)
        return where(nan, place, found)


def unique_all(x: Tensor, /) -> UniqueAll:
    if math.prod(x.shape) > _FEW:
        found = _Distinct(x)
        return UniqueAll(found.values, found.indices(), found.inverse(), found.counts())
    elements = x.to_numpy()
    values, indices, inverse, counts = np.unique(elements, True, True, True, equal_nan=False)
    return UniqueAll(*map(x.loom.tensor, (values, indices, inverse.reshape(elements.shape), counts)))


def unique_counts(x: Tensor, /) -> UniqueCounts:
    if math.prod(x.shape) > _FEW:
        distinct = _Distinct(x)
        return UniqueCounts(distinct.values, distinct.counts())
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    if math.prod(x.shape) > _FEW:
        distinct = _Distinct(x)
        return UniqueInverse(distinct.values, distinct.inverse())
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    if math.prod(x.shape) > _FEW:
        return _Distinct(x).values
    return x.loom.tensor(np.unique(x.to_numpy(), equal_nan=False))


# Products, whose operands promote.


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    return _call("matmul", *_promoted(x1, x2))


def matrix_transpose(x: Tensor, /) -> Tensor:
    return x.mT


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    first, second = (moveaxis(x, axis, -1) for x in _promoted(x1, x2))
    return _call("sum", first * second, -1, dtype=first.dtype)


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: Any = 2) -> Tensor:
    first, second = _promoted(x1, x2)
    ours, theirs = (range(first.ndim - axes, first.ndim), range(axes)) if isinstance(axes, int) else axes
    left = [chr(97 + place) for place in range(first.ndim)]
    right = [chr(65 + place) for place in range(second.ndim)]
    for own, other in zip(ours, theirs):
        right[other] = left[own]
    kept = [name for name in left if name not in right] + [name for name in right if name not in left]
    return _call("einsum", f"{''.join(left)},{''.join(right)}->{''.join(kept)}", first, second)


def _promoted(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    dtype = result_type(x1, x2)
    return x1.astype(dtype), x2.astype(dtype)


# Elementwise, where the arguments are not PyTorch's.


def conj(x: Tensor, /) -> Tensor:
    return x  # no dtype is complex


def clip(x: Tensor, /, min: Any = None, max: Any = None) -> Tensor:
    return x if min is None and max is None else _call("clamp", x, min, max).astype(x.dtype)


def where(condition: Tensor, x1: Operand, x2: Operand, /) -> Tensor:
    return _loom(condition, x1, x2).call("where", condition, x1, x2)
