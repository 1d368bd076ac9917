"""The JVM behind a session: its classes, its failures, and the files through which elements pass."""

from __future__ import annotations

import builtins
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

ABSENT = (
    "Cannot find Broadloom in the JVM of this session; give its jar when the JVM starts: spark-submit --jars"
    " broadloom-spark.jar, or spark.jars in the builder of the first session of a plain Python process"
)
CONNECT = (
    "Cannot make tensors on Spark Connect, whose client has no JVM; broadloom.functions works there, or use a classic"
    " session"
)


class Operation(NamedTuple):
    """A function of the language of expressions, as docs/ops.md lists it."""

    name: str
    signature: str
    doc: str


class Jvm:
    """What the driver's JVM offers, by py4j."""

    def __init__(self, spark: Any) -> None:
        if not hasattr(spark, "_jsparkSession"):
            raise TypeError(CONNECT)
        self._broadloom = spark._jvm.io.github.broadloom
        try:
            # A package of py4j stands for every name that is no class.
            self.gateway = self._broadloom.spark.PythonGateway
            self.gateway.told
        except (AttributeError, TypeError):
            raise RuntimeError(ABSENT) from None
        if not callable(self.gateway) or type(self.gateway).__name__ == "JavaPackage":
            raise RuntimeError(ABSENT)
        self._operations: dict[str, Operation] | None = None

    def on(self, spark: Any) -> Any:
        """``Broadloom.on``."""
        return self._broadloom.spark.Broadloom.on(spark._jsparkSession)

    def device(self, name: str) -> Any:
        """The device of that name."""
        return self._broadloom.tensor.Device.of(name)

    def constant(self, enum: str, name: str) -> Any:
        """A constant of an enum of the package ``io``."""
        return getattr(getattr(self._broadloom.io, enum), name)

    def detail(self, name: str) -> Any:
        """How much ``explain`` tells."""
        return getattr(getattr(self._broadloom.device, "Backend$Detail"), name)

    @property
    def operations(self) -> dict[str, Operation]:
        """Every function of expressions, under each of its names: read from the page that the jar makes of its tables."""
        if self._operations is None:
            self._operations = dict(_operations(self._broadloom.expr.parse.OpsPage.markdown()))
        return self._operations

    @contextmanager
    def sentences(self) -> Iterator[None]:
        """Failures of the JVM as Python's exceptions, each with the one sentence that says what is wrong."""
        try:
            yield
        except Exception as failure:
            thrown = getattr(failure, "java_exception", None) or getattr(failure, "_origin", None)
            if thrown is None:
                raise
            kind, sentence = self.gateway.told(thrown)
            raise getattr(builtins, kind)(sentence) from None


def _operations(page: str) -> Iterator[tuple[str, Operation]]:
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
def passing_file(suffix: str) -> Iterator[str]:
    """The path of a file that this process and its JVM, on the same machine, hand elements over in."""
    handle, path = tempfile.mkstemp(suffix, "broadloom-")
    os.close(handle)
    try:
        yield path
    finally:
        os.unlink(path)
