"""A tensor on a cluster, with Python's operators and NumPy's subscripts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from broadloom import _text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from broadloom._session import Broadloom

Operand = Union["Tensor", np.ndarray, bool, int, float]


class Tensor:
    """A tensor that Spark computes when its elements are asked for: operators only build an expression.

    Every function of ``docs/ops.md`` is a method: ``x.softmax(0)``, ``x.sum(dim=0, keepdim=True)``, ``x.clamp(min=0)``. Its
    arguments may be tensors, NumPy's arrays, numbers, dtypes and tuples; ``axis`` and ``keepdims`` are taken, too. ``dir(x)``
    lists them, and ``help(x.softmax)`` says what one does.
    """

    __array_ufunc__ = None  # so that NumPy leaves `array + tensor` to the tensor

    def __init__(self, loom: Broadloom, handle: Any) -> None:
        self._loom = loom
        self._handle = handle

    @property
    def _driver(self) -> Any:
        return self._loom._driver

    # What it is.

    @property
    def loom(self) -> Broadloom:
        """What it was made with."""
        return self._loom

    @functools.cached_property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its dimensions."""
        return self._driver.shape(self._handle)  # type: ignore[no-any-return]

    @functools.cached_property
    def dtype(self) -> Any:
        """NumPy's dtype; ``"bfloat16"``, which NumPy has not, as that text."""
        name: str = self._driver.dtype(self._handle)
        return name if name == "bfloat16" else np.dtype(name)

    @property
    def device(self) -> str:
        """Where its kernels run, on every executor: ``cpu``, ``cuda`` or ``auto``."""
        return self._told("device")

    @property
    def ndim(self) -> int:
        """The number of its dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of its elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def chunks(self) -> int:
        """The number of pieces along the leading dimension that Spark computes it in."""
        return int(self._told("chunks"))

    @property
    def T(self) -> Tensor:
        """The dimensions in reverse order."""
        return self._loom._make("{}.T", self)

    @property
    def mT(self) -> Tensor:
        """The last two dimensions exchanged."""
        return self._loom.call("transpose", self, -2, -1)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[row] for row in range(len(self)))

    # Its elements.

    def to_numpy(self) -> np.ndarray:
        """All elements, in the memory of this process; those of a bfloat16 as float32."""
        return self._driver.numpy(self._handle)  # type: ignore[no-any-return]

    def head(self, rows: int = 5) -> np.ndarray:
        """The first rows; no more is computed than they need."""
        return self[:rows].to_numpy() if self.shape else self.to_numpy()

    def item(self) -> Union[bool, int, float]:
        """The only element, as a plain number."""
        if self.size != 1:
            raise ValueError(f"a Tensor with {self.size} elements cannot be converted to Scalar")
        return self.to_numpy().item()  # type: ignore[no-any-return]

    def tolist(self) -> Any:
        """All elements as nested lists: for few."""
        return self.to_numpy().tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy is False:
            raise ValueError("Cannot make an array without copying: the elements are on the cluster; leave copy out")
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Union[bool, None] = None
    ) -> Any:
        return self.to_numpy().__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the memory of this process, whatever computed

    def __bool__(self) -> bool:
        return bool(self._truth())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if np.dtype(self.dtype).kind not in "iu":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def _truth(self) -> Any:
        if self.size != 1:
            raise ValueError(f"Boolean value of Tensor with {self.size} elements is ambiguous; use any() or all()")
        return self.item()

    # Where it goes.

    def to_dataframe(self, index: Union[str, None] = "index", value: str = "value") -> DataFrame:
        """A row for each index of the leading dimension: its place, unless ``index`` is None, and its elements as a flat
        array whose column declares their shape; of a vector the element itself."""
        return self._driver.table(self._handle, index, value)

    def rechunk(self, *sizes: int) -> Tensor:
        """The same values in chunks of those sizes, -1 for a whole dimension: ``x.rechunk(-1, 10, 144)``."""
        return Tensor(self._loom, self._driver.rechunk(self._loom._handle, self._handle, sizes))

    def write(self, path: str, overwrite: bool = False) -> None:
        """Writes in the format that the end of the path names: ``.npy``, ``.arrow``, ``.zarr``, else a folder of npy parts;
        whole or not at all."""
        self._write("write", path, overwrite)

    def append(self, path: str, dim: int = 0) -> None:
        """Continues a Zarr array that is there along a dimension, in its own chunks and codecs; it is as it was until all is
        there. ``store.zarr:temperature`` names one of several."""
        self._driver.append(self._handle, path, dim)

    def write_npy(self, path: str, overwrite: bool = False) -> None:
        """Writes a npy file where the path ends in ``.npy``, else a folder of parts, in any file system of Spark's: whole or
        not at all."""
        self._write("writeNpy", path, overwrite)

    def write_arrow(self, path: str, overwrite: bool = False) -> None:
        """As :meth:`write_npy`, of Arrow files: one where the path ends in ``.arrow`` or ``.feather``."""
        self._write("writeArrow", path, overwrite)

    def _write(self, verb: str, path: str, overwrite: bool) -> None:
        self._driver.write(self._handle, verb, path, "OVERWRITE" if overwrite else "CREATE")

    def cache(self) -> Tensor:
        """Keeps the chunks once they are computed, for all that is built from this from now on."""
        return self._kept("cache")

    def materialize(self) -> Tensor:
        """Computes the chunks now, and keeps them."""
        return self._kept("materialize")

    def checkpoint(self) -> Tensor:
        """Writes the chunks to Spark's checkpoint folder, and forgets how they were computed."""
        return self._kept("checkpoint")

    def unpersist(self) -> Tensor:
        """Lets Spark forget what it kept."""
        return self._kept("unpersist")

    def _kept(self, verb: str) -> Tensor:
        self._driver.keep(self._handle, verb)
        return self

    # How it is computed.

    def explain(self, code: bool = False) -> str:
        """What computing it would do, without doing it: strategies, jobs, bytes and kernels, with their source if wanted."""
        return self._told("explainSource" if code else "explain")

    def __repr__(self) -> str:
        return self._told("toString")

    def _repr_html_(self) -> str:
        return self._told("toHtml")

    def _told(self, verb: str) -> str:
        return str(self._driver.told(self._handle, verb))

    # What is made of it.

    def astype(self, dtype: Any) -> Tensor:
        """The elements in another dtype."""
        return self._loom._make("{}." + _text.dtype(dtype) + "()", self)

    def to_device(self, device: str, /, *, stream: Any = None) -> Tensor:
        """The same, whose kernels run on another device."""
        return Tensor(self._loom, self._driver.to(self._loom._handle, self._handle, device))

    def max(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The greatest value, as NumPy's: PyTorch's ``amax``."""
        return self._loom.call("amax", self, dim=axis, keepdim=keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> Tensor:
        """The smallest value, as NumPy's: PyTorch's ``amin``."""
        return self._loom.call("amin", self, dim=axis, keepdim=keepdims)

    def __getattr__(self, name: str) -> Callable[..., Tensor]:
        if name.startswith("_"):  # what Python and notebooks look for is never a function of ours
            raise AttributeError(f"'Tensor' object has no attribute '{name}'")
        function = self._loom.function(name)
        return functools.update_wrapper(functools.partial(function, self), function, updated=())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._loom.operations]

    def __array_namespace__(self, /, *, api_version: Union[str, None] = None) -> Any:
        from broadloom import array_api

        return array_api.checked(api_version)

    @staticmethod
    def _whole(key: Any) -> Any:
        return ... if isinstance(key, tuple) and not key else key

    def __getitem__(self, key: Any) -> Tensor:
        items, tensors = _text.subscript(self._whole(key), lambda item: isinstance(item, (Tensor, np.ndarray)))
        return self._loom._make("{}[" + items + "]", self, *tensors)

    def __setitem__(self, key: Any, value: Any) -> None:
        """This name stands for the tensor with a value at these places; what was made of it before keeps the old ones. An
        array or a list gets the dtype of the tensor."""
        items, tensors = _text.subscript(self._whole(key), lambda item: isinstance(item, (Tensor, np.ndarray)))
        if isinstance(value, (np.ndarray, list, tuple)) and self.dtype != "bfloat16":
            value = np.asarray(value, self.dtype)
        self._handle = self._loom._make("{}.at[" + items + "].set({})", self, *tensors, value)._handle

    def _with(self, text: str, other: Any) -> Tensor:
        if not _text.is_number(other) and not isinstance(other, (Tensor, np.ndarray)):
            return NotImplemented  # type: ignore[no-any-return]
        return self._loom._make(text, self, other)

    def __add__(self, other: Operand) -> Tensor:
        return self._with("{} + {}", other)

    def __radd__(self, other: Operand) -> Tensor:
        return self._with("{1} + {0}", other)

    def __sub__(self, other: Operand) -> Tensor:
        return self._with("{} - {}", other)

    def __rsub__(self, other: Operand) -> Tensor:
        return self._with("{1} - {0}", other)

    def __mul__(self, other: Operand) -> Tensor:
        return self._with("{} * {}", other)

    def __rmul__(self, other: Operand) -> Tensor:
        return self._with("{1} * {0}", other)

    def __truediv__(self, other: Operand) -> Tensor:
        return self._with("{} / {}", other)

    def __rtruediv__(self, other: Operand) -> Tensor:
        return self._with("{1} / {0}", other)

    def __floordiv__(self, other: Operand) -> Tensor:
        return self._with("{} // {}", other)

    def __rfloordiv__(self, other: Operand) -> Tensor:
        return self._with("{1} // {0}", other)

    def __mod__(self, other: Operand) -> Tensor:
        return self._with("{} % {}", other)

    def __rmod__(self, other: Operand) -> Tensor:
        return self._with("{1} % {0}", other)

    def __pow__(self, other: Operand) -> Tensor:
        return self._with("{} ** {}", other)

    def __rpow__(self, other: Operand) -> Tensor:
        return self._with("{1} ** {0}", other)

    def __matmul__(self, other: Operand) -> Tensor:
        return self._with("{} @ {}", other)

    def __rmatmul__(self, other: Operand) -> Tensor:
        return self._with("{1} @ {0}", other)

    def __and__(self, other: Operand) -> Tensor:
        return self._with("{} & {}", other)

    def __rand__(self, other: Operand) -> Tensor:
        return self._with("{1} & {0}", other)

    def __or__(self, other: Operand) -> Tensor:
        return self._with("{} | {}", other)

    def __ror__(self, other: Operand) -> Tensor:
        return self._with("{1} | {0}", other)

    def __xor__(self, other: Operand) -> Tensor:
        return self._with("{} ^ {}", other)

    def __rxor__(self, other: Operand) -> Tensor:
        return self._with("{1} ^ {0}", other)

    def __lshift__(self, other: Operand) -> Tensor:
        return self._with("{} << {}", other)

    def __rlshift__(self, other: Operand) -> Tensor:
        return self._with("{1} << {0}", other)

    def __rshift__(self, other: Operand) -> Tensor:
        return self._with("{} >> {}", other)

    def __rrshift__(self, other: Operand) -> Tensor:
        return self._with("{1} >> {0}", other)

    def __eq__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return self._with("{} == {}", other)

    def __ne__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return self._with("{} != {}", other)

    def __lt__(self, other: Operand) -> Tensor:  # type: ignore[misc]
        return self._with("{} < {}", other)

    def __le__(self, other: Operand) -> Tensor:  # type: ignore[misc]
        return self._with("{} <= {}", other)

    def __gt__(self, other: Operand) -> Tensor:  # type: ignore[misc]
        return self._with("{} > {}", other)

    def __ge__(self, other: Operand) -> Tensor:  # type: ignore[misc]
        return self._with("{} >= {}", other)

    __hash__ = None  # type: ignore[assignment]  # equality is a tensor

    def __neg__(self) -> Tensor:
        return self._loom._make("-{}", self)

    def __pos__(self) -> Tensor:
        return self._loom._make("+{}", self)

    def __invert__(self) -> Tensor:
        return self._loom._make("~{}", self)

    def __abs__(self) -> Tensor:
        return self._loom._make("{}.abs()", self)
