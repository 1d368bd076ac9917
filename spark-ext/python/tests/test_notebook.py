"""The cells of docs/notebooks/hillshade-python.ipynb run top down, and give the outputs that the notebook shows."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs/notebooks/hillshade-python.ipynb"


def shown(value: Any) -> dict[str, str]:
    """A value by media type, as a notebook keeps it."""
    found = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        found["text/html"] = value._repr_html_()
    if hasattr(value, "_repr_png_"):
        found["image/png"] = base64.b64encode(value._repr_png_()).decode()
    return found


def outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs a cell: what it printed, and the value of its last line."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = None if last is None else eval(compile(last, "cell", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        found.append({"output_type": "execute_result", "metadata": {}, "data": shown(value)})
    return found


def comparable(output: dict[str, Any]) -> Any:
    """Without what differs from run to run: addresses, the kernels that were compiled before, and how zlib packs."""
    if "text" in output:
        return [line for line in "".join(output["text"]).splitlines() if "kernel" not in line]
    data = {media: "".join(content) for media, content in output["data"].items()}
    data["text/plain"] = re.sub(r" at 0x\w+", "", data["text/plain"])
    if "image/png" in data:
        png = base64.b64decode(data["image/png"])
        start = png.index(b"IDAT")
        packed = png[start + 4 : start + 4 + int.from_bytes(png[start - 4 : start], "big")]
        data["image/png"] = zlib.decompress(packed).hex()
    if "text/html" in data:
        data["text/html"] = re.sub(r"(?s).*(<svg.*?</svg>).*", r"\1", data["text/html"])
    return data


@pytest.mark.skipif(not NOTEBOOK.exists(), reason="the package is not in a checkout")
def test_every_cell_gives_what_the_notebook_shows(spark: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    for cell in cells:
        source = "".join(cell["source"])
        found = outputs(source, names)
        assert list(map(comparable, found)) == list(map(comparable, cell["outputs"])), source
