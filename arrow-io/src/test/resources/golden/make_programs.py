"""Writes programs.jsonl: python3 make_programs.py [SEED [COUNT]] > programs.jsonl (PyTorch 2.13).

Each vector is a random program of views, subscripts, masks and writes by index, as one text."""
import json
import random
import sys
import warnings

import torch

from vectors import At, number, stored

warnings.simplefilter("ignore")
seed, count = (int(argument) for argument in (sys.argv[1:] + ["28", "400"][len(sys.argv) - 1:])[:2])
source = random.Random(seed)
torch.Tensor.at = property(At)
LONGEST = 700


def some(dtype, shape):
    numel = torch.Size(shape).numel()
    values = [source.random() < 0.5 if dtype == "bool" else source.randrange(-20, 20) / (4 if "float" in dtype else 1) for _ in range(numel)]
    return torch.tensor(values, dtype=getattr(torch, dtype)).reshape(shape)


def slice_of(size):
    start, stop = source.choice(["", str(source.randrange(-size - 1, size + 2))]), source.choice(["", str(source.randrange(-size - 1, size + 2))])
    return f"{start}:{stop}" + source.choice(["", "", ":2", ":3"])


def listed(size, length):
    return "[" + ", ".join(str(source.randrange(-size, size)) for _ in range(length)) + "]"


def subscript(text, value, writes):
    """What stands between brackets: few things of each kind, the tensors of integers equally long."""
    items, length, masked = [], source.choice([1, 2, 3]), False
    for dim in range(source.randrange(0, value.dim() + 1)):
        size = value.shape[dim]
        kind = source.randrange(7)
        if kind == 0 and size > 0:
            items.append(str(source.randrange(-size, size)))
        elif kind == 1 and size > 0 and not masked:
            items.append(listed(size, length))
        elif kind == 2 and size > 0 and not masked and value.dim() == dim + 1 and not any(item.startswith("[") for item in items):
            items.append(listed(size, length))
        else:
            items.append(slice_of(size))
        if source.random() < 0.1:
            items.append("None")
    if source.random() < 0.2 and "..." not in items:
        items.append("...")
    if not items or source.random() < 0.15 and value.dim() > 0:
        level = source.randrange(-3, 4)
        return f"{text} > {level}"
    return ", ".join(items)


def step(text, value):
    kind = source.randrange(12)
    dims = list(range(value.dim()))
    if kind == 0 and dims:
        source.shuffle(dims)
        return f"({text}).permute({', '.join(map(str, dims))})"
    if kind == 1:
        return f"({text}).unsqueeze({source.randrange(value.dim() + 1)})" if value.dim() < 4 else None
    if kind == 2:
        return f"({text}).flatten()"
    if kind == 3 and dims:
        return f"({text}).flip({source.choice(dims)})"
    if kind == 4:
        return f"where({text} > {source.randrange(-3, 4)}, {text}, {source.randrange(-5, 5)})" if value.dtype != torch.bool else None
    if kind in (5, 6, 7):
        return f"({text})[{subscript(text, value, False)}]"
    items = subscript(text, value, True)
    written = source.choice([str(source.randrange(-9, 9)), f"({text})[{items}] * 2", f"({text})[{items}].flip(-1)"])
    if value.dtype == torch.bool:
        written = source.choice(["True", "False", f"~({text})[{items}]"])
    return f"({text}).at[{items}].set({written})"


def program():
    dtype = source.choice(["float32", "float64", "int32", "int64", "int8", "bool"])
    x = some(dtype, [source.randrange(1, 8) for _ in range(source.randrange(1, 4))])
    text, value = "x", x
    for _ in range(source.randrange(2, 6)):
        next_text = step(text, value)
        if next_text is None or len(next_text) > LONGEST:
            continue
        try:
            next_value = eval(next_text, {"x": x, "where": torch.where})
        except (RuntimeError, IndexError, TypeError):
            continue
        if next_value.dim() > 5 or next_value.dtype != value.dtype:
            continue
        text, value = next_text, next_value
    return text, x, value


made = 0
while made < count:
    text, x, value = program()
    if text.count("[") == 0:
        continue
    vector = {"id": f"programs-{made}", "kind": "call", "text": text, "tensors": {"x": stored(x)},
              "expect": {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape),
                         "values": [number(each) for each in value.flatten().tolist()]}}
    print(json.dumps(vector, separators=(",", ":")))
    made += 1
