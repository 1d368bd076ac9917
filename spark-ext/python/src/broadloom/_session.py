"""Tensors on a Spark session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from broadloom._jvm import Operation, driver_of
from broadloom._random import Generator, default_dtype, sizes_of
from broadloom._tensor import Tensor
from broadloom._text import Text, is_number, plain
from broadloom._text import dtype as dtype_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DTYPES = ("float32", "float64", "float16", "uint8", "int8", "int16", "int32", "int64", "bool")


class Broadloom:
    """Makes tensors, and calls functions of them. A value: the methods that change a setting return another one."""

    def __init__(self, spark: SparkSession, driver: Any, handle: Any) -> None:
        self.spark = spark
        self._driver = driver
        self._handle = handle

    @staticmethod
    def on(spark: SparkSession) -> Broadloom:
        """Broadloom on a session, classic or of Spark Connect, with what its configuration says (``docs/configuration.md``).

        Raises RuntimeError where its JVM, or its server, was started without the jar.
        """
        driver = driver_of(spark)
        return Broadloom(spark, driver, driver.loom())

    def with_device(self, device: str) -> Broadloom:
        """Runs kernels on ``cpu``, ``cuda``, or, with ``auto``, on whichever takes less time."""
        return Broadloom(self.spark, self._driver, self._driver.with_device(self._handle, device))

    def with_chunk_bytes(self, count: int) -> Broadloom:
        """Cuts tensors into chunks of about so many bytes, where nothing else decides."""
        return Broadloom(self.spark, self._driver, self._driver.with_chunk_bytes(self._handle, count))

    # Tensors from outside.

    def tensor(self, array: Any, chunks: int = 0) -> Tensor:
        """An array of this process: its elements are copied now, and sent to the tasks when they need them.

        ``chunks`` cuts it into so many along its leading dimension; 0 cuts by bytes. Floats that have no dtype yet, as those of
        a list, become float32.
        """
        if isinstance(array, Tensor):
            return array
        known = isinstance(array, (np.ndarray, np.generic))
        values = np.asarray(array)
        if not known and values.dtype == np.float64:
            values = values.astype(np.float32)
        if values.dtype.name not in DTYPES:
            raise TypeError(f"Cannot make a tensor of {values.dtype.name}; use one of {', '.join(DTYPES)}")
        return Tensor(self, self._driver.tensor(self._handle, values, chunks))

    def read(
        self,
        path: str,
        *,
        format: Union[str, None] = None,
        stack: Union[int, None] = None,
        concat: int = 0,
        manifest: bool = True,
    ) -> Tensor:
        """Whatever array lies there, in any file system of Spark's: npy, npz, Arrow, Zarr, NetCDF, HDF5, TIFF, pictures, safetensors.

        The end of the path tells the format, or what lies there, unless ``format`` names it. One array of several is
        named behind a colon: ``"era5.zarr:temperature"``. A pattern, ``"days/*.nc:t"``, means several files: along the
        dimension ``concat``, or a new one, ``stack``.
        """
        join, dim = ("CONCATENATE", concat) if stack is None else ("STACK", stack)
        mode = "REQUIRED" if manifest else "OPTIONAL"
        return Tensor(self, self._driver.read_any(self._handle, path, format or "", join, dim, mode))

    def read_npy(self, path: str, manifest: bool = True) -> Tensor:
        """A npy file, ``FILE.npz:KEY``, or a folder of parts, in any file system of Spark's; the tasks read their rows.

        ``manifest=False`` also takes a folder of ``part-NNNNN.npy`` files that something else wrote.
        """
        return self._read("readNpy", path, manifest)

    def read_arrow(self, path: str, manifest: bool = True) -> Tensor:
        """An Arrow IPC file or stream, or a folder of parts, as :meth:`read_npy`."""
        return self._read("readArrow", path, manifest)

    def _read(self, verb: str, path: str, manifest: bool) -> Tensor:
        return Tensor(self, self._driver.read(self._handle, verb, path, "REQUIRED" if manifest else "OPTIONAL"))

    def from_dataframe(self, table: DataFrame, column: str, order: Union[str, None] = None) -> Tensor:
        """One column of a table, ``[rows, …the shape of a cell]``, ordered by another column if one is named.

        Cells are numbers or arrays of them; those of ``to_dataframe`` have a shape.
        """
        return Tensor(self, self._driver.from_table(self._handle, table, column, order))

    # Tensors of nothing: of any size, because each task makes the elements that it needs.

    def _made(self, name: str, dtype: Any, sizes: Sequence[int], *numbers: Any) -> Tensor:
        values = [plain(number) for number in numbers]
        return Tensor(self, self._driver.made(self._handle, name, dtype_name(dtype), sizes_of(sizes), values))

    def zeros(self, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Zeros: ``loom.zeros(3, 4)``, or ``loom.zeros((3, 4))``."""
        return self._made("full", dtype, sizes, 0)

    def ones(self, *sizes: Any, dtype: Any = "float32") -> Tensor:
        """Ones, as :meth:`zeros`."""
        return self._made("full", dtype, sizes, 1)

    def full(self, shape: Any, value: Union[bool, int, float], dtype: Any = None) -> Tensor:
        """One value everywhere; its dtype is PyTorch's default for the value: float32, int64 or bool."""
        return self._made("full", dtype or default_dtype(value), (shape,), value)

    def arange(self, start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
        """``arange(end)``, ``arange(start, end)``, ``arange(start, end, step)``; int64, or float32 where one of them is a float."""
        start, end = (0, start) if end is None else (start, end)
        return self._made("arange", dtype or default_dtype(start, end, step), (), start, end, step)

    def linspace(self, start: float, end: float, steps: int, *, dtype: Any = "float32") -> Tensor:
        """So many numbers evenly from ``start`` to ``end``, both included."""
        return self._made("linspace", dtype, (steps,), start, end)

    def eye(self, n: int, m: Union[int, None] = None, *, dtype: Any = "float32") -> Tensor:
        """Ones where both indices are the same, else zeros."""
        return self._made("eye", dtype, (n, n if m is None else m))

    def random(self, seed: int) -> Generator:
        """Random numbers of a seed: ``g = loom.random(7)``, then ``g.rand(3, 4)``."""
        return Generator(self, seed)

    # Tensors from tensors.

    def eval(self, expression: str, **names: Any) -> Tensor:
        """The value of a text such as ``"where(x > m, (x - m) / s, 0.1 * x)"``; it takes what operators take: tensors, arrays and numbers."""
        handles = {name: plain(value) if is_number(value) else self._operand(value) for name, value in names.items()}
        return Tensor(self, self._driver.eval(self._handle, expression, handles))

    def write_all(self, files: Mapping[str, Tensor], overwrite: bool = False) -> None:
        """Writes several tensors by one plan, in the formats that the ends of the paths name: what they have in common is
        read and computed once, and they get their names when all of them are there."""
        handles = {path: self._operand(tensor) for path, tensor in files.items()}
        self._driver.write_all(self._handle, handles, "OVERWRITE" if overwrite else "CREATE")

    def to_numpy_all(self, *tensors: Tensor) -> list[np.ndarray]:
        """The arrays of several tensors by one plan: ``low, high = loom.to_numpy_all(x.amin(0), x.amax(0))`` reads ``x`` once.
        On Spark Connect each is computed by itself."""
        arrays: list[np.ndarray] = self._driver.numpy_all(self._handle, [self._operand(tensor) for tensor in tensors])
        return arrays

    def call(self, function: str, *arguments: Any, **keywords: Any) -> Tensor:
        """A function of ``docs/ops.md`` by its name: ``loom.call("softmax", x, dim=0)``."""
        text = Text(self._operand)
        return self._built(text.call(function, arguments, keywords), text)

    @property
    def operations(self) -> Mapping[str, Operation]:
        """Every function, under each of its names, with its arguments and what it gives."""
        found: Mapping[str, Operation] = self._driver.operations
        return found

    def function(self, name: str) -> Callable[..., Tensor]:
        """A function of ``docs/ops.md``, with its documentation; raises AttributeError where there is none."""
        operation = self.operations.get(name)
        if operation is None:
            raise AttributeError(f"Broadloom has no function '{name}'; loom.operations lists all")

        def function(*arguments: Any, **keywords: Any) -> Tensor:
            return self.call(name, *arguments, **keywords)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = f"{name}({operation.signature})\n\n{operation.doc}"
        return function

    def _make(self, form: str, *operands: Any) -> Tensor:
        """What an operator or a subscript makes: ``form`` has braces where the operands stand."""
        text = Text(self._operand)
        return self._built(form.format(*map(text.operand, operands)), text)

    def _built(self, text: str, parts: Text) -> Tensor:
        return Tensor(self, self._driver.call(self._handle, text, parts.operands))

    def _operand(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return value._handle
        if isinstance(value, (np.ndarray, np.generic, bool, int, float)):
            return self.tensor(value)._handle
        raise TypeError(
            f"Cannot take {type(value).__name__} as an operand; give a Tensor, an array of NumPy or a number"
        )
