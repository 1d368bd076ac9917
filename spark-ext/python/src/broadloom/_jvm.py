"""The JVM behind a classic session: its classes, its failures, and the sockets through which elements pass."""

from __future__ import annotations

import builtins
import io
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Union

import numpy as np

ABSENT = (
    "Cannot find Broadloom in the JVM of this session; give its jar when the JVM starts: spark-submit --jars"
    " broadloom-spark.jar, or spark.jars in the builder of the first session of a plain Python process"
)


def driver_of(spark: Any) -> Any:
    """What makes and computes the tensors of a session: a :class:`Jvm`, or a ``Server`` of Spark Connect."""
    if hasattr(spark, "_jsparkSession"):
        return Jvm(spark)
    from broadloom._connect import Server

    return Server(spark)


class Operation(NamedTuple):
    """A function of the language of expressions, as docs/ops.md lists it."""

    name: str
    signature: str
    doc: str


class Jvm:
    """What the driver's JVM offers, by py4j. A handle is an object of Java."""

    def __init__(self, spark: Any) -> None:
        self._broadloom = spark._jvm.io.github.broadloom
        self._spark = spark
        try:
            # A package of py4j stands for every name that is no class.
            self._gateway = self._broadloom.spark.PythonGateway
            self._gateway.told
        except (AttributeError, TypeError):
            raise RuntimeError(ABSENT) from None
        if not callable(self._gateway) or type(self._gateway).__name__ == "JavaPackage":
            raise RuntimeError(ABSENT)
        self._operations: Union[dict[str, Operation], None] = None

    def loom(self) -> Any:
        """``Broadloom.on``."""
        with self._sentences():
            return self._broadloom.spark.Broadloom.on(self._spark._jsparkSession)

    def with_device(self, loom: Any, device: str) -> Any:
        with self._sentences():
            return loom.withDevice(self._device(device))

    def with_chunk_bytes(self, loom: Any, count: int) -> Any:
        with self._sentences():
            return loom.withChunkBytes(count)

    def tensor(self, loom: Any, array: np.ndarray, chunks: int) -> Any:
        with self._sentences():
            receiver = self._gateway.receive()
            with _connected(receiver) as connection:
                connection.sendall(npy_header(array))
                connection.sendall(as_bytes(array))
            return self._gateway.tensor(loom, receiver, chunks)

    def numpy(self, x: Any) -> np.ndarray:
        with self._sentences():
            with _connected(self._gateway.send(x)) as connection, connection.makefile("rb") as stream:
                return read_npy(stream)

    def read(self, loom: Any, verb: str, path: str, mode: str) -> Any:
        with self._sentences():
            return getattr(loom, verb)(path, getattr(self._broadloom.io.ManifestMode, mode))

    def read_any(self, loom: Any, path: str, format: str, join: str, dim: int, mode: str) -> Any:
        with self._sentences():
            return self._gateway.read(loom, path, format, join, dim, mode)

    def rechunk(self, loom: Any, x: Any, sizes: Sequence[int]) -> Any:
        with self._sentences():
            return self._gateway.rechunk(x, list(sizes))

    def made(self, loom: Any, name: str, dtype: str, sizes: Sequence[int], numbers: Sequence[Any]) -> Any:
        with self._sentences():
            return self._gateway.made(loom, name, dtype, list(sizes), list(numbers))

    def write(self, x: Any, verb: str, path: str, mode: str) -> None:
        with self._sentences():
            getattr(x, verb)(path, getattr(self._broadloom.io.WriteMode, mode))

    def write_all(self, loom: Any, files: dict[str, Any], mode: str) -> None:
        with self._sentences():
            loom.writeAll(files, getattr(self._broadloom.io.WriteMode, mode))

    def numpy_all(self, loom: Any, tensors: list[Any]) -> list[np.ndarray]:
        with self._sentences():
            return [self.numpy(x) for x in self._gateway.collectAll(loom, tensors)]

    def append(self, x: Any, path: str, dim: int) -> None:
        with self._sentences():
            x.append(path, dim)

    def from_table(self, loom: Any, table: Any, column: str, order: Union[str, None]) -> Any:
        with self._sentences():
            return loom.fromDataFrame(table._jdf, *((column,) if order is None else (column, order)))

    def table(self, x: Any, index: Union[str, None], value: str) -> Any:
        from pyspark.sql import DataFrame

        with self._sentences():
            return DataFrame(x.toDataFrame(*((value,) if index is None else (index, value))), self._spark)

    def eval(self, loom: Any, expression: str, names: dict[str, Any]) -> Any:
        with self._sentences():
            return loom.eval(expression, names)

    def call(self, loom: Any, text: str, operands: list[Any]) -> Any:
        with self._sentences():
            return self._gateway.call(loom, text, operands)

    def to(self, loom: Any, x: Any, device: str) -> Any:
        with self._sentences():
            return x.to(self._device(device))

    def keep(self, x: Any, verb: str) -> None:
        with self._sentences():
            getattr(x, verb)()

    def shape(self, x: Any) -> tuple[int, ...]:
        return tuple(self._gateway.shape(x))

    def dtype(self, x: Any) -> str:
        return str(self._gateway.dtype(x))

    def told(self, x: Any, verb: str) -> str:
        """What a method without arguments says."""
        with self._sentences():
            if verb == "explain":
                return str(self._gateway.explain(x))
            if verb == "explainSource":
                return str(x.explain(getattr(self._broadloom.device, "Backend$Detail").SOURCE))
            return str(getattr(x, verb)())

    def _device(self, name: str) -> Any:
        return self._broadloom.tensor.Device.of(name)

    @property
    def operations(self) -> dict[str, Operation]:
        """Every function of expressions, under each of its names: read from the page that the jar makes of its tables."""
        if self._operations is None:
            self._operations = operations(self._broadloom.expr.parse.OpsPage.markdown())
        return self._operations

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Failures of the JVM as Python's exceptions, each with the one sentence that says what is wrong."""
        try:
            yield
        except Exception as failure:
            thrown = getattr(failure, "java_exception", None) or getattr(failure, "_origin", None)
            if thrown is None:
                raise
            kind, sentence = self._gateway.told(thrown)
            raise getattr(builtins, kind)(sentence) from None


def operations(page: str) -> dict[str, Operation]:
    """The functions that a page as docs/ops.md lists, under each of their names."""
    return dict(_rows(page))


def _rows(page: str) -> Iterator[tuple[str, Operation]]:
    head: list[str] = []
    for line in page.splitlines():
        cells = [cell.replace("\\|", "|") for cell in re.split(r" (?<!\\)\| ", line.strip("| "))]
        if line.startswith("| name"):
            head = cells
        elif line.startswith("| `"):
            row = dict(zip(head, (cell.strip() for cell in cells)))
            names = re.findall(r"`(\w+)`", row["name"] + row.get("other names", ""))
            for name in names:
                yield name, Operation(name, row["arguments"].strip("`"), row["what it gives"])


@contextmanager
def _connected(array: Any) -> Iterator[socket.socket]:
    """A connection to the socket of the JVM, on this machine, that one array passes through."""
    host, port, secret = array.address().split()
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(secret.encode())
        yield connection


def npy_header(array: np.ndarray) -> bytes:
    """What a npy file has before the elements in row-major order."""
    header = io.BytesIO()
    described = {**np.lib.format.header_data_from_array_1_0(array), "fortran_order": False}
    np.lib.format.write_array_header_1_0(header, described)
    return header.getvalue()


def as_bytes(array: np.ndarray) -> memoryview:
    """The elements in row-major order, copied only where they lie otherwise."""
    return np.asarray(array, order="C").reshape(-1).view(np.uint8).data


def read_npy(stream: Any) -> np.ndarray:
    """A npy file of a stream, straight into the memory of the array."""
    newer = np.lib.format.read_magic(stream) != (1, 0)
    read_header = np.lib.format.read_array_header_2_0 if newer else np.lib.format.read_array_header_1_0
    shape, _, dtype = read_header(stream)
    array = np.empty(shape, dtype)
    if stream.readinto(array.reshape(-1).view(np.uint8)) < array.nbytes:
        raise OSError("Cannot read elements: the JVM closed its socket before the last of them; its log says why")
    return array
