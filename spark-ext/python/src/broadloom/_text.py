"""Python values as the text that the parser of expressions takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Text:
    """A text in the making: its tensors become ``_0``, ``_1``, … in the order in which they are written.

    Shapes, promotion and arguments are the parser's to judge: nothing here knows what a function takes.
    """

    def __init__(self, handle: Callable[[Any], Any]) -> None:
        """``handle`` gives the JVM's tensor for one of Python's, or for an array."""
        self._handle = handle
        self.operands: list[Any] = []

    def value(self, value: Any) -> str:
        """An argument of a call: a tensor, an array, a number, a text, a dtype, ``None``, or several of these."""
        if isinstance(value, (tuple, list)):
            several = ", ".join(self.value(each) for each in value)
            return f"({several},)" if len(value) == 1 else f"({several})"
        if value is None or isinstance(value, (bool, np.bool_)):
            return str(value)
        if isinstance(value, (int, float, np.integer, np.floating)):
            return _number(value)
        if isinstance(value, str):
            quote = '"' if "'" in value else "'"
            return quote + value + quote
        if isinstance(value, (type, np.dtype)):
            return dtype(value)
        return self.operand(value)

    def operand(self, value: Any) -> str:
        """A side of an operator, in parentheses where it would else be read otherwise: ``(-2) ** x``."""
        if is_number(value):
            return f"({self.value(value)})"
        self.operands.append(self._handle(value))
        return f"_{len(self.operands) - 1}"

    def call(self, function: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> str:
        """``function(argument, …, keyword=argument, …)``."""
        given = [self.value(argument) for argument in arguments]
        given += [f"{name}={self.value(argument)}" for name, argument in keywords.items()]
        return f"{function}({', '.join(given)})"


def is_number(value: Any) -> bool:
    """Whether it is a plain number, which has no dtype to promote: NumPy's scalars, too."""
    return isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating))


def plain(value: Any) -> Any:
    """A number as one of Python's own."""
    return value if type(value) in (bool, int, float) else value.item()


def _number(value: Any) -> str:
    return repr(plain(value))


def dtype(value: Any) -> str:
    """The name of a dtype, as PyTorch and NumPy write it: of ``numpy.float32``, ``"float32"``, ``float``."""
    if value == "bfloat16":
        return "bfloat16"
    name: str = np.dtype(value).name
    return name


def subscript(key: Any, is_tensor: Callable[[Any], bool]) -> tuple[str, list[Any]]:
    """What stands between the brackets of ``x[0, 1:3, None, ..., i]``, and the tensors among it, for which there is ``{}``."""
    items = [
        np.asarray(item, dtype=None if item else np.int64) if isinstance(item, list) else item
        for item in (key if isinstance(key, tuple) else (key,))
    ]
    tensors = [item for item in items if is_tensor(item)]
    return ", ".join("{}" if is_tensor(item) else _item(item) for item in items), tensors


def _item(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if item is None:
        return "None"
    if isinstance(item, slice):
        step = "" if item.step is None else f":{_index(item.step)}"
        return f"{_bound(item.start)}:{_bound(item.stop)}{step}"
    return _index(item)


def _bound(bound: Any) -> str:
    return "" if bound is None else _index(bound)


def _index(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(
            f"Cannot index a tensor with {type(value).__name__}; use integers, slices, None, ..., and tensors, arrays or lists of integers or bools"
        )
    return str(value.__index__())
