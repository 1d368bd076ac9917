"""The names of the array API standard, where they are not PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from broadloom import Broadloom, array_api as xp

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7
CASES: list[Callable[[Any, Any], Any]] = [
    lambda np, x: np.concat([x, x], axis=None),
    lambda np, x: np.stack([x, x], axis=-1),
    lambda np, x: np.take(x, np.asarray([2, 0, 2]), axis=1),
    lambda np, x: np.take_along_axis(x, np.argsort(x, axis=1, descending=True) if np is xp else np.argsort(-x, axis=1), axis=1),
    lambda np, x: np.stack(np.nonzero(x > 0.5), axis=1),
    lambda np, x: np.searchsorted(np.asarray([0.0, 1.0, -1.0], dtype=np.float32), x, sorter=np.asarray([2, 0, 1])),
    lambda np, x: np.searchsorted(np.asarray([-1.0, 0.0], dtype=np.float32), x, side="right"),
    lambda np, x: np.unstack(x, axis=1)[2],
    lambda np, x: np.roll(x, (1, -2), axis=(0, 2)),
    lambda np, x: np.roll(x, 5),
    lambda np, x: np.repeat(x, 3, axis=1),
    lambda np, x: np.repeat(x, 2),
    lambda np, x: np.repeat(x, np.asarray([2, 0, 3]), axis=1),
    lambda np, x: np.flip(x),
    lambda np, x: np.tril(x, k=1),
    lambda np, x: np.triu(x > 0, k=-1),
    lambda np, x: np.diff(x, n=2, axis=1),
    lambda np, x: np.var(x, axis=(0, 2), correction=1.0),
    lambda np, x: np.std(x, keepdims=True),
    lambda np, x: np.max(x, axis=-1),
    lambda np, x: np.sum(x, axis=()),
    lambda np, x: np.count_nonzero(x, axis=1, keepdims=True),
    lambda np, x: np.cumulative_sum(x, axis=1, include_initial=True),
    lambda np, x: np.cumulative_prod(np.reshape(x, (-1,)) / 8),
    lambda np, x: np.meshgrid(x[0, 0], x[1, :, 0])[1],
    lambda np, x: np.meshgrid(x[0, 0], x[1, :, 0], indexing="ij")[0],
    lambda np, x: np.tensordot(x, np.permute_dims(x, (2, 1, 0)), axes=((2, 1), (0, 1))),
    lambda np, x: np.vecdot(x, x[0]),
    lambda np, x: np.matmul(np.astype(x, np.int32), np.matrix_transpose(np.astype(x, np.int64))),
    lambda np, x: np.linspace(0, 1, 5, dtype=np.float32, endpoint=False),
    lambda np, x: np.full((2, 3), 7, dtype=np.int8),
    lambda np, x: np.zeros_like(x),
    lambda np, x: np.eye(3, 4, k=1, dtype=np.float64),
    lambda np, x: np.asarray([1e300, np.pi], dtype=np.float64),
    lambda np, x: np.from_dlpack(x),
    lambda np, x: np.nextafter(x, np.flip(x)),
    lambda np, x: np.where(np.equal(x, 0), 1.0, np.clip(x, -2, 2)),
    lambda np, x: np.squeeze(np.expand_dims(x, axis=1), axis=1),
    lambda np, x: np.sort(x, axis=1),
    lambda np, x: np.argsort(np.equal(x, 0), axis=0, stable=True),
    lambda np, x: np.unique_values(x // 3),
    lambda np, x: np.unique_counts(x // 3).counts,
    lambda np, x: np.unique_inverse(x // 3).inverse_indices,
    lambda np, x: np.unique_all(x // 3).indices,
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_functions_give_what_those_of_numpy_give(loom: Broadloom, case: int) -> None:
    found, expected = CASES[case](xp, loom.tensor(X)).to_numpy(), np.asarray(CASES[case](np, X))
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.bool_])
def test_what_is_distinct_among_many_elements_stays_where_they_are(
    loom: Broadloom, monkeypatch: pytest.MonkeyPatch, dtype: Any
) -> None:
    x = (X.reshape(4, 6) // 3).astype(dtype)
    if dtype is np.float32:
        x[1, 2:4] = np.nan
    expected = np.unique(x, True, True, True, equal_nan=False)
    monkeypatch.setattr(xp, "_FEW", 0)
    every = xp.unique_all(loom.tensor(x))
    for found, known in zip(every, expected):
        np.testing.assert_array_equal(found.to_numpy().reshape(known.shape), known)
    assert every.inverse_indices.shape == x.shape
    np.testing.assert_array_equal(xp.unique_counts(loom.tensor(x)).counts.to_numpy(), expected[3])


def test_a_tensor_knows_its_namespace(loom: Broadloom) -> None:
    assert loom.tensor(X).__array_namespace__(api_version="2024.12") is xp
    assert xp.softmax(loom.tensor(X), 0).shape == X.shape
    assert not hasattr(xp, "fft")
    assert xp.result_type(xp.uint8, xp.int8, 2) == xp.int16
    assert xp.result_type(xp.int32, 2.5) == xp.float32
    assert {"add", "equal", "concat", "softmax"} <= set(dir(xp))


def test_what_the_standard_refuses_is_refused(loom: Broadloom) -> None:
    x = loom.tensor(X)
    with pytest.raises(ValueError, match="^Cannot squeeze axis 0: its size is 2"):
        xp.squeeze(x, 0)
    with pytest.raises(ValueError, match="^Cannot run along all 3 dimensions at once"):
        xp.cumulative_sum(x)
    with pytest.raises(ValueError, match="^Cannot follow version 2020.01 of the array API"):
        x.__array_namespace__(api_version="2020.01")

def test_an_array_that_is_asked_not_to_be_copied_is_the_same_one(loom: Broadloom) -> None:
    x = loom.tensor(X)
    same, copy = xp.asarray(x, dtype=x.dtype, copy=False), xp.asarray(x, copy=True)
    x[0] = 100
    assert (same.to_numpy()[0, 0, 0], copy.to_numpy()[0, 0, 0]) == (100, -7)


def test_a_tensor_without_dimensions_has_no_places(loom: Broadloom) -> None:
    with pytest.raises(ValueError, match="without dimensions"):
        xp.nonzero(loom.tensor(3))
