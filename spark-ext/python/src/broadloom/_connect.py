"""The server behind a session of Spark Connect: it is asked by reading tables, whose options are the question.

Tensors live in the server's session under names that this client gives them, as long as this client knows them. A few elements
are a part of question or answer; many pass as Arrow batches of tables.
"""

from __future__ import annotations

import base64
import builtins
import io
import itertools
import math
import re
import uuid
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from broadloom._jvm import Operation, as_bytes, npy_header, operations, read_npy

ABSENT = (
    "Cannot find Broadloom on the server of this session; give its jar when the server starts:"
    " start-connect-server.sh --jars broadloom-spark.jar"
)

QUESTION_BYTES = 1 << 15
PART_BYTES = 1 << 20
CELL_ELEMENTS = 1 << 18

#: What a failed query tells of the exception of Java.
KINDS = {
    "ArithmeticException": ZeroDivisionError,
    "IllegalArgumentException": ValueError,
    "IndexOutOfBoundsException": IndexError,
}


#: What was set on this client; all else is the session's configuration.
Loom = dict[str, str]


class Handle:
    """A tensor of the server's."""

    def __init__(self, id: str, dtype: str, shape: tuple[int, ...]) -> None:
        self.id = id
        self.dtype = dtype
        self.shape = shape


class Server:
    """What the server offers, as a ``Jvm`` does."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        self._names = map(f"{uuid.uuid4().hex}_{{}}".format, itertools.count())
        self._released: deque[str] = deque()  # by the garbage collector, which had better not ask a server
        self._in_tables: list[Handle] = []
        self._operations: Union[dict[str, Operation], None] = None

    def _ask(self, verb: str, **options: Any) -> Any:
        if self._released:
            options["released"] = ",".join(self._released.popleft() for _ in range(len(self._released)))
        from pyspark.errors import PySparkException

        try:
            reader = self._spark.read.format("io.github.broadloom.connect.TensorRequests")
            answer = reader.options(verb=verb, **options).load().collect()[0]
        except PySparkException as failure:
            if "DATA_SOURCE_NOT_FOUND" not in str(failure):
                raise
            raise RuntimeError(ABSENT) from None
        if answer.failure:
            raise getattr(builtins, answer.failure)(answer.text) from None
        return answer

    def _make(self, verb: str, loom: Loom, **options: Any) -> Handle:
        id = next(self._names)
        answer = self._ask(verb, id=id, **loom, **options)
        made = Handle(id, answer.text, tuple(answer.shape))
        weakref.finalize(made, self._released.append, id).atexit = False
        return made

    def loom(self) -> Loom:
        self._ask("settings")
        return {}

    def _set(self, loom: Loom, **settings: Any) -> Loom:
        changed = {**loom, **settings}
        self._ask("settings", **changed)
        return changed

    def with_device(self, loom: Loom, device: str) -> Loom:
        return self._set(loom, device=device)

    def with_chunk_bytes(self, loom: Loom, count: int) -> Loom:
        return self._set(loom, chunkBytes=str(count))

    def tensor(self, loom: Loom, array: np.ndarray, chunks: int) -> Handle:
        if array.nbytes <= QUESTION_BYTES:
            npy = base64.b64encode(npy_header(array) + bytes(as_bytes(array))).decode()
            return self._make("tensor", loom, chunks=str(chunks), npy=npy)
        import pyarrow as pa

        elements = as_bytes(array)
        parts = [npy_header(array), *(elements[at : at + PART_BYTES] for at in range(0, len(elements), PART_BYTES))]
        places = pa.array(range(len(parts)), pa.int64())
        table = self._spark.createDataFrame(pa.table({"place": places, "part": pa.array(parts, pa.binary())}))
        return self._viewed(table, "tensor", loom, chunks=str(chunks))

    def _viewed(self, table: Any, verb: str, loom: Loom, **options: Any) -> Handle:
        """Makes a tensor of a table, which the server sees as a view."""
        view = f"broadloom_{next(self._names)}"
        table.createTempView(view)
        try:
            return self._make(verb, loom, view=view, **options)
        finally:
            self._spark.catalog.dropTempView(view)

    def numpy(self, x: Handle) -> np.ndarray:
        small = self._ask("elements", on=x.id).elements
        if small is not None:
            return read_npy(io.BytesIO(small))
        array = np.empty(math.prod(x.shape), "float32" if x.dtype == "bfloat16" else x.dtype)
        rows = self.call({}, f"_0.reshape(-1, {_row(x.shape)})", [x])
        at = 0
        for cells in self._fetched(self._rows(rows, value="value")):
            elements = cells.flatten().to_numpy(zero_copy_only=False)
            array[at : at + len(elements)] = elements
            at += len(elements)
        return array.reshape(x.shape)

    def _fetched(self, rows: Any) -> Any:
        try:
            return rows.toArrow().column(0).chunks
        except Exception as failure:
            told = re.match(r"(?:.*[.\s])?(\w+(?:Exception|Error)): (.+)", str(failure).partition("\n")[0])
            if told is None:
                raise
            raise KINDS.get(told[1], RuntimeError)(told[2]) from None

    def _rows(self, x: Handle, **names: str) -> Any:
        reader = self._spark.read.format("io.github.broadloom.connect.TensorRows")
        return reader.options(on=x.id, **names).load()

    def read(self, loom: Loom, verb: str, path: str, mode: str) -> Handle:
        return self._make(verb, loom, path=path, mode=mode)

    def read_any(self, loom: Loom, path: str, format: str, join: str, dim: int, mode: str) -> Handle:
        return self._make("read", loom, path=path, format=format, join=join, dim=str(dim), mode=mode)

    def rechunk(self, loom: Loom, x: Handle, sizes: Sequence[int]) -> Handle:
        return self._make("rechunk", loom, on=x.id, sizes=",".join(map(str, sizes)))

    def made(self, loom: Loom, name: str, dtype: str, sizes: Sequence[int], numbers: Sequence[Any]) -> Handle:
        told = {"sizes": ",".join(map(str, sizes)), "numbers": ",".join(map(str, numbers))}
        return self._make("made", loom, name=name, dtype=dtype, **told)

    def write(self, x: Handle, verb: str, path: str, mode: str) -> None:
        self._ask(verb, on=x.id, path=path, mode=mode)

    def write_all(self, loom: Loom, files: dict[str, Handle], mode: str) -> None:
        paths = {f"path{place}": path for place, path in enumerate(files)}
        self._ask("writeAll", **loom, operands=_ids(files.values()), mode=mode, **paths)

    def numpy_all(self, loom: Loom, tensors: list[Handle]) -> list[np.ndarray]:
        return [self.numpy(x) for x in tensors]

    def append(self, x: Handle, path: str, dim: int) -> None:
        self._ask("append", on=x.id, path=path, dim=str(dim))

    def from_table(self, loom: Loom, table: Any, column: str, order: Union[str, None]) -> Handle:
        ordered = {} if order is None else {"order": order}
        return self._viewed(table, "fromDataFrame", loom, column=column, **ordered)

    def table(self, x: Handle, index: Union[str, None], value: str) -> Any:
        self._in_tables.append(x)  # which reads it whenever it is computed
        return self._rows(x, value=value, **({} if index is None else {"index": index}))

    def eval(self, loom: Loom, expression: str, names: dict[str, Any]) -> Handle:
        return self._make("eval", loom, text=expression, names=",".join(names), operands=_ids(names.values()))

    def call(self, loom: Loom, text: str, operands: list[Handle]) -> Handle:
        return self._make("call", loom, text=text, operands=_ids(operands))

    def to(self, loom: Loom, x: Handle, device: str) -> Handle:
        return self._make("to", loom, on=x.id, to=device)

    def keep(self, x: Handle, verb: str) -> None:
        self._ask(verb, on=x.id)

    def shape(self, x: Handle) -> tuple[int, ...]:
        return x.shape

    def dtype(self, x: Handle) -> str:
        return x.dtype

    def told(self, x: Handle, verb: str) -> str:
        return str(self._ask(verb, on=x.id).text)

    @property
    def operations(self) -> dict[str, Operation]:
        if self._operations is None:
            self._operations = operations(self._ask("operations").text)
        return self._operations


def _ids(operands: Any) -> str:
    """Tensors, and numbers, which are written out."""
    return ",".join(operand.id if isinstance(operand, Handle) else f"={operand}" for operand in operands)


def _row(shape: tuple[int, ...]) -> int:
    """How many neighbours pass as one cell, in which a row of Arrow's has room: of the trailing dimensions, or of the last."""
    row = 1
    for size in reversed(shape):
        if row * size > CELL_ELEMENTS:
            break
        row *= size
    if row == 1 and shape:
        return min(shape[-1] & -shape[-1], CELL_ELEMENTS)
    return row
