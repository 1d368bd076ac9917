"""Tensors in Python: what NumPy says of the same arrays is what has to come."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from broadloom import Broadloom, Tensor

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7 - 1
Y = np.linspace(0.5, 2, 4, dtype=np.float32)
NUMBERS = np.arange(-6, 6, dtype=np.int32).reshape(3, 4)


@pytest.fixture(params=[0, 2], ids=["driver", "tasks"])
def x(request: Any, loom: Broadloom) -> Tensor:
    return loom.tensor(X, chunks=request.param)


def same(tensor: Tensor, array: Any, dtype: Any = None) -> None:
    expected = np.asarray(array)
    found = tensor.to_numpy()
    assert isinstance(tensor, Tensor)
    assert tensor.shape == found.shape == expected.shape
    assert tensor.dtype == found.dtype == (dtype or expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("dtype", "float32 float64 float16 uint8 int8 int16 int32 int64 bool".split())
@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (2, 3, 4)])
@pytest.mark.parametrize("chunks", [0, 2])
def test_an_array_comes_back(loom: Broadloom, dtype: str, shape: tuple[int, ...], chunks: int) -> None:
    array = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    same(loom.tensor(array, chunks), array)


def test_views_of_arrays_come_as_they_look(loom: Broadloom) -> None:
    same(loom.tensor(X.T), X.T)
    same(loom.tensor(X[:, ::-1, 1]), X[:, ::-1, 1])
    same(loom.tensor(np.asfortranarray(X)), X)
    same(loom.tensor(X.astype(">f4")), X)


def test_lists_of_floats_are_float32(loom: Broadloom) -> None:
    same(loom.tensor([1.5, 2.5]), np.float32([1.5, 2.5]))
    same(loom.tensor([1, 2]), np.int64([1, 2]))


@pytest.mark.parametrize("sign", "add sub mul truediv pow eq ne lt le gt ge".split())
def test_operators_broadcast_as_those_of_numpy(x: Tensor, sign: str) -> None:
    act = getattr(operator, sign)
    with np.errstate(invalid="ignore", divide="ignore"):
        same(act(x, Y), act(X, Y))
        same(act(x, x[0, 0]), act(X, X[0, 0]))
        same(act(Y, x), act(Y, X))
        same(act(x, 2), act(X, 2))
        same(act(3, x), act(3, X))
        same(act(np.float64(0.5), x), act(np.float32(0.5), X))


@pytest.mark.parametrize("sign", "floordiv mod and_ or_ xor lshift rshift".split())
def test_operators_of_integers(loom: Broadloom, sign: str) -> None:
    act = getattr(operator, sign)
    numbers = loom.tensor(NUMBERS)
    same(act(numbers, 3), act(NUMBERS, 3))
    same(act(7, numbers + 7), act(7, NUMBERS + 7))


def test_unary_operators(loom: Broadloom, x: Tensor) -> None:
    same(-x, -X)
    same(+x, X)
    same(abs(x), abs(X))
    same(~loom.tensor(NUMBERS), ~NUMBERS)
    same(~(x > 0), ~(X > 0))


def test_a_negative_number_is_the_base_of_a_power(loom: Broadloom) -> None:
    same((-2) ** loom.tensor(np.int64([0, 1, 2, 3])), np.int64([1, -2, 4, -8]))
    same(loom.tensor(np.float32([4])) - (-1), np.float32([5]))


def test_matrices_are_multiplied(x: Tensor) -> None:
    same(x @ Y, X @ Y)
    same(x @ x.mT, X @ X.swapaxes(1, 2))
    same(X[0].T @ x[0], X[0].T @ X[0])
    same(x.T, X.T)


@pytest.mark.parametrize(
    "key",
    [0, -1, np.int64(1), slice(None), slice(1, None), (0, 1), (..., 0), (None, 0), (slice(None), slice(0, 3, 2)),
     (slice(-2, None), ..., None, -1), (0, ..., slice(1, 3)), (0, 1, 2), ()],
    ids=str,
)
def test_subscripts_are_those_of_numpy(x: Tensor, key: Any) -> None:
    same(x[key], X[key])


def test_rows_can_be_walked_over(x: Tensor) -> None:
    assert len(x) == 2
    for row, expected in zip(x, X):
        same(row, expected)


@pytest.mark.parametrize(
    "key",
    [[1, 0, 1], [], (slice(None), [0, 2]), (0, [1, 1]), np.array([1]), (np.array([[0], [1]]), np.array([0, 2])),
     (..., np.array([1, 0])), np.array([False, True]), X > 0.5, (X[:, 0, 0] < 99, 0)],
    ids=str,
)
def test_arrays_pick_elements_as_in_numpy(x: Tensor, loom: Broadloom, key: Any) -> None:
    same(x[key], X[key])


def test_a_computed_mask_picks_elements(x: Tensor) -> None:
    same(x[x > 0.5], X[X > 0.5])
    same(x[(x > 0) & (x < 1)] * 2, X[(X > 0) & (X < 1)] * 2)


def test_what_cannot_be_a_subscript_is_told(x: Tensor) -> None:
    with pytest.raises(TypeError, match="^Cannot index a tensor with str"):
        x["a"]
    with pytest.raises(IndexError, match="^index 2 is out of bounds for dimension 0 with size 2$"):
        x[2]


def test_every_function_of_the_table_is_a_method(loom: Broadloom, x: Tensor) -> None:
    assert {"softmax", "clip", "einsum", "cat", "quantile", "permute"} <= loom.operations.keys()
    for name in loom.operations:
        assert callable(getattr(x, name))
        assert name in dir(x)
    assert x.softmax.__doc__.startswith("softmax(input, dim, dtype=None)\n\nThe exponentials over their sum.")
    assert not hasattr(x, "_repr_png_")
    with pytest.raises(AttributeError, match="Broadloom has no function 'softmaxx'"):
        x.softmaxx(0)


def test_functions_take_arguments_as_python_has_them(loom: Broadloom, x: Tensor) -> None:
    same(x.sum(dim=(0, 2), keepdim=True), X.sum((0, 2), keepdims=True))
    same(x.sum(axis=-1), X.sum(-1))
    same(x.mean(dtype=np.float64), X.mean(dtype=np.float64))
    same(x.std(correction=0), X.std())
    same(x.std(0, unbiased=False), X.std(0))
    same(x.clamp(min=0), X.clip(min=0))
    same(x.clip(-0.5, Y), np.clip(X, np.float32(-0.5), Y))
    same(x.reshape(6, -1), X.reshape(6, -1))
    same(x.reshape((4, 6)), X.reshape(4, 6))
    same(x.permute(2, 0, 1), X.transpose(2, 0, 1))
    same(x.flip((0,)), X[::-1])
    same(x.norm(float("inf"), -1), abs(X).max(-1))
    same(x.div(2, rounding_mode="floor"), X // 2)
    same(x.max(axis=0), X.max(0))
    same(x.min(), X.min())
    same(x.quantile([0.25, 0.5], 0), np.quantile(X, np.float32([0.25, 0.5]), 0), np.float32)
    same(loom.call("cat", (x, x), 1), np.concatenate((X, X), 1))
    same(loom.call("where", x > 0, x, 0.0), np.where(X > 0, X, np.float32(0)))
    same(loom.call("einsum", "ijk,k->ij", x, Y), X @ Y)
    same(loom.function("stack")([x]), X[None])


def test_dtypes_convert(x: Tensor) -> None:
    same(x.astype(np.float64), X.astype(np.float64))
    same(x.astype("int32"), X.astype(np.int32))
    same(x.astype(bool), X.astype(bool))
    halves = x.astype("bfloat16")
    assert halves.dtype == "bfloat16"
    assert np.allclose(halves.to_numpy(), X, rtol=0.01)


def test_a_text_is_evaluated(loom: Broadloom, x: Tensor) -> None:
    same(loom.eval("where(x > m, (x - m) / s, 0.1 * x)", x=x, m=Y, s=2.0), np.where(X > Y, (X - Y) / 2, X * np.float32(0.1)))
    assert float(loom.eval("x * s", x=np.float64(1) * np.ones(1), s=0.1)[0]) == 0.1  # a number keeps its precision
    same(loom.eval("where(c, x, s)", x=x, s=np.int64(3), c=True), X)


def test_one_element_is_a_number(loom: Broadloom, x: Tensor) -> None:
    assert float(x[0, 0, 0]) == X[0, 0, 0]
    assert x[0, 0, 0].item() == X[0, 0, 0]
    assert int(x.argmax()) == 23
    assert [10, 20][x.argmin()] == 10
    assert (x < 100).all()
    with pytest.raises(ValueError, match="Boolean value of Tensor with 24 elements is ambiguous"):
        bool(x > 0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_numpy_takes_a_tensor_for_an_array(x: Tensor) -> None:
    assert np.array_equal(np.asarray(x), X)
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.array_equal(x.head(1), X[:1])
    assert x.tolist() == X.tolist()


def test_files_hold_tensors(loom: Broadloom, x: Tensor, tmp_path: Path) -> None:
    for write, read, name in [
        ("write_npy", loom.read_npy, "x.npy"),
        ("write_npy", loom.read_npy, "folder"),
        ("write_arrow", loom.read_arrow, "x.arrow"),
        ("write", loom.read, "any.npy"),
        ("write", loom.read, "any.zarr"),
    ]:
        path = str(tmp_path / name)
        getattr(x, write)(path)
        same(read(path), X)
        with pytest.raises(FileExistsError):
            getattr(x, write)(path)
        getattr(x + 1, write)(path, overwrite=True)
        same(read(path), X + 1)
    assert np.array_equal(np.load(tmp_path / "x.npy"), X + 1)
    with pytest.raises(FileNotFoundError):
        loom.read_npy(str(tmp_path / "absent.npy"))


def test_places_are_written(loom: Broadloom, x: Tensor) -> None:
    before, expected = x * 1, X.copy()
    y = x + 0
    for key, value in [
        (0, 7), ((slice(None), -1), 2.5), ((..., 0), np.arange(X.shape[0] * X.shape[1]).reshape(X.shape[:2])),
        ([0, -1], 3), ((slice(None), np.array([0, 0])), 4), (X > 1, -1), (slice(None, None, 2), [[1] * X.shape[2]]),
    ]:
        y[key] = value
        expected[key] = value
        same(y, expected)
    same(before, X)
    y[y < 0] = 0
    same(y, np.where(expected < 0, 0, expected))
    y[0] = x[0]
    same(y[0], X[0])
    with pytest.raises(ValueError, match="shape mismatch"):
        y[[0, 1]] = np.ones((3, 3, 3, 5))
    with pytest.raises(IndexError):
        y[100] = 1


def test_several_values_come_of_one_plan(loom: Broadloom, x: Tensor, tmp_path: Path) -> None:
    files = {str(tmp_path / "low.npy"): x.amin(0), str(tmp_path / "twice.zarr"): x * 2}
    loom.write_all(files)
    assert np.array_equal(np.load(tmp_path / "low.npy"), X.min(0))
    same(loom.read(str(tmp_path / "twice.zarr")), X * 2)
    with pytest.raises(FileExistsError):
        loom.write_all(files)
    loom.write_all({str(tmp_path / "low.npy"): x.amax(0)}, overwrite=True)
    low, total, thrice = loom.to_numpy_all(x.amin(0), x.sum(), x * 3)
    assert np.array_equal(low, X.min(0)) and total == X.sum() and np.array_equal(thrice, X * 3)


def test_a_store_grows(loom: Broadloom, x: Tensor, tmp_path: Path) -> None:
    path = str(tmp_path / "x.zarr")
    x.write(path)
    (x + 1).append(path)
    same(loom.read(path), np.concatenate([X, X + 1]))
    loom.tensor(np.ones((4, 3, 2), np.float32)).append(path, dim=-1)
    same(loom.read(path), np.concatenate([np.concatenate([X, X + 1]), np.ones((4, 3, 2), np.float32)], axis=-1))
    with pytest.raises(ValueError, match="all other sizes have to be the same"):
        x.append(path)


def test_many_files_are_one_tensor(loom: Broadloom, tmp_path: Path) -> None:
    for day in range(3):
        np.save(tmp_path / f"day-{day}.npy", X + day)
    days = [X, X + 1, X + 2]
    same(loom.read(str(tmp_path / "day-*.npy")), np.concatenate(days))
    same(loom.read(str(tmp_path / "day-*.npy"), concat=-1), np.concatenate(days, axis=-1))
    stacked = loom.read(str(tmp_path / "day-*.npy"), stack=1)
    same(stacked, np.stack(days, axis=1))
    same(stacked.rechunk(-1, 2), np.stack(days, axis=1))
    with pytest.raises(ValueError, match="there are arrow, "):
        loom.read(str(tmp_path / "day-0.npy"), format="grib")


def test_folders_of_numpy_are_read(loom: Broadloom, tmp_path: Path) -> None:
    for part in range(2):
        np.save(tmp_path / f"part-0000{part}.npy", X[part : part + 1])
    same(loom.read_npy(str(tmp_path), manifest=False), X)
    with pytest.raises(OSError, match="manifest"):
        loom.read_npy(str(tmp_path))


def test_tables_become_tensors_and_tensors_tables(spark: Any, loom: Broadloom, x: Tensor) -> None:
    table = x.to_dataframe("place", "cell")
    assert table.columns == ["place", "cell"]
    same(loom.from_dataframe(table.orderBy("place", ascending=False), "cell", "place"), X)
    assert x.to_dataframe(None).columns == ["value"]
    rows = spark.sql("SELECT * FROM VALUES (2, array(3d, 4d)), (1, array(1d, 2d)) AS t(id, embedding)")
    same(loom.from_dataframe(rows, "embedding", order="id"), [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match="absent"):
        loom.from_dataframe(rows, "absent")


def test_chunks_are_kept(loom: Broadloom) -> None:
    kept = (loom.tensor(X, 2) * 2).cache()
    same(kept + 1, X * 2 + 1)
    same(kept.materialize().unpersist(), X * 2)
    assert loom.tensor(X, 2).chunks == 2
    assert loom.with_chunk_bytes(16).tensor(X).chunks == 2


def test_a_plan_says_where_it_runs(loom: Broadloom, x: Tensor) -> None:
    where = "On the driver" if "driver" in (x + 1).explain().splitlines()[0] else "1 job"
    assert where in (x + 1).explain()
    assert "class" in (x + 1).explain(code=True)
    assert repr(x + 1) == "DistributedTensor(tensor + 1, dtype=float32, shape=[2, 3, 4], chunks=" + str(x.chunks) + ")"
    assert "<svg" in (x + 1)._repr_html_()
    assert x.device == "cpu" and x.to_device("auto").device == "auto"
    assert loom.with_device("cpu").tensor(X).device == "cpu"


@pytest.mark.parametrize(
    "kind, sentence, act",
    [
        (ValueError, r"The size of tensor a \(4\) must match the size of tensor b \(3\) at non-singleton dimension 2",
         lambda loom, x: x + np.ones(3, np.float32)),
        (ValueError, "Cannot call softmax: 0 dimensions given; it goes along one, such as dim=0", lambda loom, x: x.softmax()),
        (ValueError, r"Cannot find name 'm'; the names are x\n    x - m\n        \^", lambda loom, x: loom.eval("x - m", x=x)),
        (IndexError, r"Dimension out of range \(expected to be in range of \[-3, 2\], but got 3\)", lambda loom, x: x.sum(3)),
        (ZeroDivisionError, "ZeroDivisionError", lambda loom, x: (loom.tensor(NUMBERS, 2) // 0).to_numpy()),
        (TypeError, r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'", lambda loom, x: x + "1"),
        (TypeError, "Cannot take object as an operand; give a Tensor, an array of NumPy or a number",
         lambda loom, x: x.add(object())),
        (TypeError, "Cannot make a tensor of complex64; use one of float32, .*, bool",
         lambda loom, x: loom.tensor(np.complex64([1]))),
    ],
    ids=str,
)
def test_errors_are_one_sentence(loom: Broadloom, x: Tensor, kind: Any, sentence: str, act: Any) -> None:
    with pytest.raises(kind, match=f"^{sentence}$") as raised:
        act(loom, x)
    assert raised.value.__suppress_context__ or kind is TypeError
    assert "at io.github" not in str(raised.value) and "at org.apache" not in str(raised.value)
