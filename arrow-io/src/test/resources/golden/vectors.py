"""How tensors stand in vectors; what the scripts that make them share."""
import torch


def number(value):
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return "-0.0" if value == 0 and str(value)[0] == "-" else value
    return value


def stored(made):
    dtype = str(made.dtype).removeprefix("torch.")
    storage = made.as_strided([made.numel()], [1]).tolist() if made.numel() else []
    return {"dtype": dtype, "shape": list(made.shape), "stride": list(made.stride()), "offset": 0,
            "storage": [number(value) for value in storage]}


class At:
    """JAX's x.at[...].set(v) and add(v), by what PyTorch writes over a copy."""

    def __init__(self, x, items=None):
        self.x, self.items = x, items

    def __getitem__(self, items):
        return At(self.x, items)

    def set(self, value):
        written = self.x.clone()
        written[self.items] = value
        return written

    def add(self, value):
        items = self.items if isinstance(self.items, tuple) else (self.items,)
        places = [None if isinstance(item, slice) and item == slice(None) else item for item in items]
        if all(item is None or isinstance(item, torch.Tensor) for item in places):
            value = value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=self.x.dtype)
            return torch.ops.aten.index_put(self.x, places, value, True)
        written = self.x.clone()
        written[self.items] += value
        return written
