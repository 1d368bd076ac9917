"""One session for all tests: of a PySpark on the path, with the jar that BROADLOOM_JAR names, or of Spark Connect, whose server
SPARK_REMOTE names."""

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

    if "SPARK_REMOTE" in os.environ:
        session = SparkSession.builder.getOrCreate()
    else:
        session = classic(SparkSession.builder)
    yield session
    session.stop()


def classic(builder: Any) -> Any:
    jar = os.environ.get("BROADLOOM_JAR")
    if not jar:
        pytest.skip("BROADLOOM_JAR names no jar")
    session = (
        builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.jars", jar)
        .config("spark.sql.extensions", "io.github.broadloom.sql.BroadloomExtensions")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


@pytest.fixture(scope="session")
def loom(spark: Any) -> Broadloom:
    return Broadloom.on(spark)
