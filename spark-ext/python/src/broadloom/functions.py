"""The same operations for columns of a DataFrame, on classic sessions and on Spark Connect.

    from broadloom import functions as B

    images.select(B.eval("(x - m) / s", x="pixels", m=mean, s=0.226))
    images.groupBy("label").agg(B.mean("pixels"))

They are functions of SQL: ``B.clamp(x, 0, 1)`` is ``tensor_clamp``, for every name that ``docs/sql-functions.md`` lists. The
session needs ``spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions``. A text is the name of a column; numbers,
and NumPy's arrays of one dimension, are literals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import Column


def eval(expression: str, **columns: Any) -> Column:
    """The value of an expression whose names stand for columns, computed by one fused kernel.

    Raises ValueError for a column that the expression does not use; what else is wrong the query tells.
    """
    from pyspark.sql import functions as F

    places = {name: _place(name, expression) for name in columns}
    unused = [name for name, place in places.items() if place < 0]
    if unused:
        raise ValueError(f"Cannot use {unused[0]} in an expression without that name: {expression}")
    ordered = sorted(columns, key=lambda name: places[name])
    return F.call_function("tensor_eval", F.lit(expression), *(_column(columns[name]) for name in ordered))


def __getattr__(name: str) -> Callable[..., Column]:
    if name.startswith("_"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def function(*columns: Any) -> Column:
        from pyspark.sql import functions as F

        return F.call_function(f"tensor_{name}", *map(_column, columns))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The function of SQL ``tensor_{name}``, of columns."
    return function


def _column(value: Any) -> Any:
    from pyspark.sql import Column
    from pyspark.sql import functions as F

    return value if isinstance(value, (str, Column)) else F.lit(value)


def _place(name: str, expression: str) -> int:
    """Where a name first stands for a tensor: not as a method, a function, or the keyword of an argument."""
    outside = re.sub(r"'[^']*'|\"[^\"]*\"", lambda text: " " * len(text[0]), expression)
    found = re.search(rf"(?<![\w.])(?<!\.\s){re.escape(name)}(?!\w)(?!\s*\()(?!\s*=(?!=))", outside)
    return found.start() if found else -1
