"""One session for all tests: of a PySpark on the path, with the jar that BROADLOOM_JAR names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from broadloom import Broadloom

pytest.importorskip("pyspark")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    jar = os.environ.get("BROADLOOM_JAR")
    if not jar:
        pytest.skip("BROADLOOM_JAR names no jar")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.jars", jar)
        .config("spark.sql.extensions", "io.github.broadloom.sql.BroadloomExtensions")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def loom(spark: Any) -> Broadloom:
    return Broadloom.on(spark)
