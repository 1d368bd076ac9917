"""Writes groups.jsonl: python3 make_groups.py > groups.jsonl (NumPy). Sums and means are NumPy's in float64, rounded once."""
import json
import random

import numpy as np

from vectors import number

FUNCS = ["sum", "prod", "mean", "var", "std", "min", "max", "count", "first", "last", "any", "all", "median", "quantile"]
source = random.Random(2028)
vectors = []


def stored(array):
    return {"dtype": str(array.dtype), "shape": list(array.shape), "stride": [s // array.itemsize for s in np.ascontiguousarray(array).strides],
            "offset": 0, "storage": [number(v) for v in array.flatten().tolist()]}


def of_line(func, line, q, dtype):
    """One group of one line; what it has of nothing is said in the Javadoc."""
    floating = dtype.kind == "f"
    nothing = np.nan if floating else 0
    wide = line.astype(np.float64) if floating else line.astype(np.int64)
    if func == "sum":
        return wide.sum()
    if func == "prod":
        return wide.prod()
    if func == "count":
        return len(line)
    if func == "any":
        return bool((line != 0).any())
    if func == "all":
        return bool((line != 0).all())
    if len(line) == 0:
        return nothing
    with np.errstate(all="ignore"):
        if func == "mean":
            return wide.mean()
        if func in ("var", "std"):
            # of one element 0 / 0
            value = ((wide - wide.mean()) ** 2).sum() / np.float64(len(line) - 1)
            return value if func == "var" else np.sqrt(np.float64(dtype.type(value)))
        if func == "min":
            return line.min()
        if func == "max":
            return line.max()
        if func == "first":
            return line[0]
        if func == "last":
            return line[-1]
        if floating and np.isnan(line).any():
            return np.nan
        if func == "median":
            return np.sort(line)[(len(line) - 1) // 2]
        return np.quantile(line, q)


def call(x, labels, groups, dim, func, q=0.25):
    floating = x.dtype.kind == "f"
    result = {"sum": x.dtype if floating else np.dtype("int64"), "prod": x.dtype if floating else np.dtype("int64"),
              "count": np.dtype("int64"), "any": np.dtype("bool"), "all": np.dtype("bool")}.get(func, x.dtype)
    moved = np.moveaxis(x, dim, -1)
    lines = moved.reshape(int(np.prod(moved.shape[:-1])), x.shape[dim])
    along = np.broadcast_to(np.moveaxis(labels, dim, -1) if labels.ndim > 1 else labels, moved.shape).reshape(lines.shape)
    out = np.array([[of_line(func, line[label == g], q, x.dtype) for g in range(groups)] for line, label in zip(lines, along)])
    out = np.moveaxis(out.reshape(moved.shape[:-1] + (groups,)), -1, dim)
    with np.errstate(all="ignore"):
        out = out.astype(result)
    text = f"groupby_reduce(x, l, {groups}, dim={dim}, func='{func}'" + (f", q={q})" if func == "quantile" else ")")
    vector = {"id": f"groups-{len(vectors)}", "kind": "call", "text": text, "tensors": {"x": stored(x), "l": stored(labels)}}
    if func in ("var", "std", "mean", "quantile"):
        vector["ulp"] = 2 if x.shape[dim] < 100 else 64  # one after the other, not in pairs
    vector["expect"] = {"dtype": str(result), "shape": list(out.shape), "values": [number(v) for v in out.flatten().tolist()]}
    vectors.append(vector)


def values(dtype, shape, special=False):
    count = int(np.prod(shape))
    if dtype == "bool":
        return np.array([source.random() < 0.5 for _ in range(count)]).reshape(shape)
    if dtype.startswith("float"):
        chosen = [source.randrange(-64, 64) / 8 for _ in range(count)]
        if special:
            for value in ("nan", "inf", "-inf"):
                chosen[source.randrange(count)] = float(value)
        return np.array(chosen, dtype=dtype).reshape(shape)
    low = 0 if dtype == "uint8" else -5
    return np.array([source.randrange(low, 6) for _ in range(count)], dtype=dtype).reshape(shape)


def labels(shape, groups, dtype="int64"):
    return np.array([source.randrange(-1, groups + 1) for _ in range(int(np.prod(shape)))], dtype=dtype).reshape(shape)


for dtype in ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]:
    for func in FUNCS:
        refused = func in ("mean", "var", "std") and not dtype.startswith("float")
        refused |= func == "quantile" and dtype not in ("float32", "float64") or func == "median" and dtype == "bool"
        if not refused:
            call(values(dtype, (9,)), labels((9,), 3), 3, 0, func)
            call(values(dtype, (8, 3)), labels((8,), 4, source.choice(["int32", "int64"])), 4, 0, func)
            call(values(dtype, (2, 7, 3)), labels((7,), 3), 3, 1, func)
            call(values(dtype, (3, 6)), labels((3, 6), 2), 2, 1, func)
            call(values(dtype, (6, 4)), labels((6, 1), 2), 2, 0, func)
for func in FUNCS:
    for dtype in ["float32", "float64"]:
        call(values(dtype, (10, 4), True), labels((10,), 3), 3, 0, func)
        call(values(dtype, (10, 4), True), labels((10, 4), 3), 3, 0, func)
# Many indices of few groups: results of blocks are put together.
for func in FUNCS:
    call(values("float64", (4500,)), labels((4500,), 5), 5, 0, func)
    call(values("int32", (2100, 2)), labels((2100,), 3), 3, 0, func) if func not in ("mean", "var", "std", "quantile") else None
for func in ("sum", "count", "min", "mean", "first"):
    call(values("float32", (0, 3)), labels((0,), 2), 2, 0, func)
    call(values("float32", (5, 0)), labels((5,), 2), 2, 0, func)
    call(values("float32", (5, 2)), labels((5,), 0), 0, 0, func)



def weighted(x, labels, weights, groups, dim, func):
    """What xarray's weighted says of each group of each line."""
    rank = x.ndim

    def along(array):
        lying = array.reshape([-1 if d == dim else 1 for d in range(rank)]) if array.ndim == 1 else array
        return np.moveaxis(np.broadcast_to(lying, x.shape), dim, -1)

    wide, names, given = along(x.astype(np.float64)), along(labels), along(weights.astype(np.float64))
    out = np.zeros(wide.shape[:-1] + (groups,))
    with np.errstate(all="ignore"):
        for g in range(groups):
            counted = np.where(names == g, given, 0)
            total = np.where(names == g, wide * given, 0).sum(-1)
            mean = total / counted.sum(-1)
            var = np.where(names == g, (wide - mean[..., None]) ** 2 * given, 0).sum(-1) / counted.sum(-1)
            out[..., g] = {"sum": total, "mean": mean, "var": var, "std": np.sqrt(var)}[func]
        out = np.moveaxis(out, -1, dim).astype(x.dtype)
    vectors.append({"id": f"groups-{len(vectors)}", "kind": "call", "text": f"groupby_reduce(x, l, {groups}, dim={dim}, func='{func}', weights=w)",
                    "tensors": {"x": stored(x), "l": stored(labels), "w": stored(weights)}, "ulp": 4,
                    "expect": {"dtype": str(x.dtype), "shape": list(out.shape), "values": [number(v) for v in out.flatten().tolist()]}})


for func in ("sum", "mean", "var", "std"):
    for dtype in ("float32", "float64"):
        weighted(values(dtype, (9,)), labels((9,), 3), abs(values("float64", (9,))), 3, 0, func)
        weighted(values(dtype, (8, 3)), labels((8,), 4), abs(values(dtype, (8,))), 4, 0, func)
        weighted(values(dtype, (2, 7, 3)), labels((7,), 3), abs(values(dtype, (1, 7, 3))), 3, 1, func)
        weighted(values(dtype, (6, 4)), labels((6, 4), 2), abs(values("float32", (6,))), 2, 0, func)
        weighted(values(dtype, (6, 4)), labels((6, 1), 3), abs(values("float32", (1, 4))), 3, 0, func)

for vector in vectors:
    print(json.dumps(vector, separators=(",", ":")))
