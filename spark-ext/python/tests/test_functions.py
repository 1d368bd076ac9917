"""Functions of columns, and what Broadloom says where it cannot work."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from broadloom import Broadloom, functions


def cells(table: Any) -> list[Any]:
    return [row[0] for row in table.collect()]


@pytest.fixture(scope="module")
def images(spark: Any) -> Any:
    return spark.sql("SELECT * FROM VALUES (1, array(1d, 2d, 3d), 2d), (2, array(4d, 5d, 6d), 4d) AS t(id, pixels, scale)")


def test_names_are_columns_by_their_place_in_the_text(images: Any) -> None:
    normalised = functions.eval("(x - m) / s", s="scale", m=np.array([1.0, 2.0, 3.0]), x=images.pixels)
    assert cells(images.select(normalised)) == [[0.0, 0.0, 0.0], [0.75, 0.75, 0.75]]


def test_a_name_is_no_method_keyword_or_text(images: Any) -> None:
    text = "x.sum(dim=0) + einsum('i->', i) * sum - dim"
    found = images.select(functions.eval(text, i=images.pixels, sum="scale", dim="id", x=images.pixels))
    assert cells(found) == [6 + 6 * 2 - 1, 15 + 15 * 4 - 2]


def test_operations_are_functions(images: Any) -> None:
    assert cells(images.select(functions.clamp("pixels", 2, 5.0))) == [[2.0, 2.0, 3.0], [4.0, 5.0, 5.0]]
    assert cells(images.agg(functions.mean("pixels"))) == [[2.5, 3.5, 4.5]]


def test_an_unused_column_is_told() -> None:
    with pytest.raises(ValueError, match="^Cannot use y in an expression without that name: x.y\\(\\) \\+ yy$"):
        functions.eval("x.y() + yy", x="a", y="b")


def test_a_server_without_the_jar_is_told() -> None:
    pytest.importorskip("pyspark")
    from pyspark.errors import PySparkException

    class Reader:
        def format(self, name: str) -> Any:
            raise PySparkException(f"[DATA_SOURCE_NOT_FOUND] Failed to find the data source: {name}.")

    with pytest.raises(RuntimeError, match="^Cannot find Broadloom on the server of this session; give its jar"):
        Broadloom.on(SimpleNamespace(read=Reader()))  # type: ignore[arg-type]


def test_a_jvm_without_the_jar_is_told(spark: Any) -> None:
    if not hasattr(spark, "_jvm"):
        pytest.skip("a client of Spark Connect has no JVM")
    other = SimpleNamespace(_jsparkSession=None, _jvm=SimpleNamespace(io=spark._jvm.com.example))
    with pytest.raises(RuntimeError, match="^Cannot find Broadloom in the JVM of this session; give its jar"):
        Broadloom.on(other)  # type: ignore[arg-type]
