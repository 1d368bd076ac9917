"""What docs/guide/pyspark.md shows is so: its lines run top down, and the comments below them are what comes."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs/guide/pyspark.md"


def statements(block: str) -> Iterator[tuple[str, str]]:
    """Each statement, and the comment in the lines below it, or else nothing."""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        below = []
        for line in lines[node.end_lineno :]:
            if not line.startswith("#"):
                break
            below.append(line[2:])
        yield ast.unparse(node), "\n".join(below)


def outcome(source: str, names: dict[str, Any]) -> str:
    """What the prompt would show."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            try:
                code = compile(source, "page", "eval")
            except SyntaxError:
                exec(compile(source, "page", "exec"), names)
                return printed.getvalue().rstrip()
            value = eval(code, names)
        except Exception as failure:
            return f"{type(failure).__name__}: {failure}"
    return printed.getvalue().rstrip() or ("" if value is None else repr(value))


@pytest.mark.skipif(not PAGE.exists(), reason="the package is not in a checkout")
def test_the_page_is_true(spark: Any, tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text().replace("out/", f"{tmp_path}/"), re.DOTALL)
    assert len(blocks) > 5
    for block in blocks:
        for source, expected in statements(block):
            found = outcome(source, names)
            assert found == expected or not expected and "Error" not in found, source


def test_the_version_is_that_of_the_jar() -> None:
    import broadloom

    pom = PAGE.parents[2] / "pom.xml"
    if not pom.exists():
        pytest.skip("the package is not in a checkout")
    found = re.search(r"<artifactId>broadloom[\w-]*</artifactId>\s*<version>(.*?)</version>", pom.read_text())
    assert found and found[1].replace("-SNAPSHOT", ".dev0") == broadloom.__version__
