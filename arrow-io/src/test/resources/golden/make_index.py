"""Writes index.jsonl: python3 make_index.py > index.jsonl (PyTorch 2.13)."""
import json
import random
import warnings

import torch

from vectors import At, number, stored

warnings.simplefilter("ignore")
DTYPES = ["float16", "bfloat16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]
def histogram(x, bins=100, min=None, max=None, weight=None, density=False):
    between = {} if min is None else {"range": (min, max)}
    return torch.histogram(x, bins, weight=weight, density=density, **between).hist


NAMES = {name: getattr(torch, name) for name in [
    "index_select", "gather", "take_along_dim", "take", "masked_fill", "isin", "searchsorted", "bucketize", "diff",
    "scatter", "scatter_reduce", "index_add", "histc", "masked_scatter"]} | {"histogram": histogram}

source = random.Random(28)
vectors = []


torch.Tensor.at = property(At)


def tensor(dtype, shape, values=None):
    """In row-major order, or with its dimensions turned around; of values that are chosen where none are given."""
    count = torch.Size(shape).numel()
    if values is None:
        if dtype == "bool":
            values = [source.random() < 0.5 for _ in range(count)]
        elif dtype in ("uint8", "int8", "int16", "int32", "int64"):
            values = [source.randrange(0, 100) for _ in range(count)]
        else:
            values = [source.randrange(-50, 50) / 4 for _ in range(count)]
    made = torch.tensor(values, dtype=getattr(torch, dtype)).reshape(shape)
    if len(shape) > 1 and source.random() < 0.5:
        made = made.permute(*reversed(range(len(shape)))).contiguous().permute(*reversed(range(len(shape))))
    return made


def indices(shape, size, negative=True, dtype="int64"):
    return tensor(dtype, shape, [source.randrange(-size if negative else 0, size) for _ in range(torch.Size(shape).numel())])


def call(text, known=(), **tensors):
    vector = {"id": f"index-{len(vectors)}", "kind": "call", "text": text,
              "tensors": {name: stored(made) for name, made in tensors.items()}}
    if known:
        vector["known"] = list(known)
    try:
        result = eval(text, NAMES | tensors)
        vector["expect"] = {"dtype": str(result.dtype).removeprefix("torch."), "shape": list(result.shape),
                            "values": [number(value) for value in result.flatten().tolist()]}
    except (RuntimeError, IndexError, ValueError) as refused:
        if "view size is not compatible" in str(refused):  # which depends on the strides alone
            return
        vector["error"] = str(refused).splitlines()[0]
    vectors.append(vector)


# Between brackets: one vector, of every dtype, and several tensors in every place.
for dtype in DTYPES:
    x = tensor(dtype, [5, 3, 4])
    for text, size in [("x[i]", 5), ("x[:, i]", 3), ("x[..., i]", 4), ("x[1:, None, i]", 3), ("x[2, i]", 3)]:
        call(text, x=x, i=indices([source.choice([1, 2, 7])], size))
x = tensor("float32", [5, 3, 4])
for shape in [[], [0], [3], [2, 3], [2, 1, 2]]:
    for text, size in [("x[i]", 5), ("x[:, i]", 3), ("x[..., i]", 4), ("x[i, ..., 0]", 5), ("x[i] * 2 - x[-1]", 5)]:
        call(text, x=x, i=indices(shape, size))
for a, b in [([3], [3]), ([2, 1], [3]), ([], [4]), ([2, 3], [1, 3]), ([0], [1])]:
    for text, sizes in [("x[i, j]", (5, 3)), ("x[i, :, j]", (5, 4)), ("x[:, i, j]", (3, 4)), ("x[i, None, j]", (5, 3)),
                        ("x[None, i, j]", (5, 3)), ("x[i, 1, j]", (5, 4)), ("x[..., i, j]", (3, 4)), ("x[i, 1:, j]", (5, 4))]:
        call(text, x=x, i=indices(a, sizes[0]), j=indices(b, sizes[1]))
for _ in range(6):
    call("x[i, j, k]", x=x, i=indices([2, 2], 5), j=indices([2], 3), k=indices([1], 4))
    call("x[i, j][0] + x[k, 0]", x=x, i=indices([3], 5), j=indices([3], 3), k=indices([4], 5))
for dtype in ["int8", "int16", "int32"]:
    call("x[i]", x=x, i=indices([4], 5, dtype=dtype))
for text in ["x[[0, -1, 3]]", "x[[2], 1:]", "x[:, [1, 0]]", "x[[0, 1], :, [3, 2]]", "x[[4, 4]][[1, 0, 0]]"]:
    call(text, x=x)

# Masks.
for dtype in DTYPES:
    call("x[m]", ["m"], x=tensor(dtype, [4, 3]), m=tensor("bool", [4, 3]))
for text, shape in [("x[m]", [5]), ("x[m]", [5, 3]), ("x[m]", [5, 3, 4]), ("x[:, m]", [3]), ("x[..., m]", [4]), ("x[1, m]", [3, 4]), ("x[m, 1:]", [5]), ("x[:, None, m]", [3, 4])]:
    for _ in range(2):
        call(text, ["m"], x=x, m=tensor("bool", shape))
call("x[m, i]", ["m"], x=x, m=tensor("bool", [5], [True, False, True, True, False]), i=indices([3], 3))
call("x[m, :, i]", ["m"], x=x, m=tensor("bool", [5], [True, False, True, True, False]), i=indices([1], 4))
call("x[m]", ["m"], x=x, m=tensor("bool", [5], [False] * 5))

# By name.
for dtype in DTYPES:
    x = tensor(dtype, [4, 5])
    for dim in [0, 1, -1]:
        size = x.shape[dim]
        call(f"index_select(x, {dim}, i)", x=x, i=indices([source.choice([0, 1, 6])], size, False, source.choice(["int32", "int64"])))
        call(f"x.gather({dim}, i)", x=x, i=indices([source.randint(1, 4), source.randint(1, 5)], size, False))
        call(f"take_along_dim(x, i, {dim})", x=x, i=indices([1, 5] if dim else [4, 1], size, False))
    call("take_along_dim(x, i)", x=x, i=indices([3, 2], 20, False))
    call("take(x, i)", x=x, i=indices([2, 3], 20))
    call("x.take(i)", x=x, i=indices([], 20))
    call("masked_fill(x, m, 3)", x=x, m=tensor("bool", [5]))
    call("x.masked_fill(m, v)", x=x, m=tensor("bool", [4, 1]), v=tensor(dtype, []))
x = tensor("float32", [3, 4, 2])
for dim in [0, 1, 2, -2]:
    size = x.shape[dim]
    for shape in [[3, 4, 2], [1, 1, 1], [2, 3, 1], [0, 1, 1]]:
        call(f"gather(x, {dim}, i)", x=x, i=indices(shape, size, False))
    shape = [1, 1, 1]
    shape[dim] = 5
    call(f"take_along_dim(x, i, {dim})", x=x, i=indices(shape, size, False))
    call(f"take_along_dim(x[:1], i, {dim})" if dim else "take_along_dim(x, i, 0)", x=x, i=indices([3, 4, 2], size, False))
    call(f"index_select(x * 2, {dim}, i) + 1", x=x, i=indices([3], size, False))
scalar = tensor("float32", [])
for text, shape in [("index_select(x, 0, i)", [1]), ("index_select(x, 0, i)", []), ("gather(x, 0, i)", []), ("gather(x, 0, i)", [1]), ("take(x, i)", [3])]:
    call(text, x=scalar, i=tensor("int64", shape, [0] * torch.Size(shape).numel()))

# Sorted lines and sets.
for dtype in ["float32", "float64", "int64", "int32", "uint8"]:
    x = tensor(dtype, [3, 5])
    line = tensor(dtype, [7]).sort().values
    lines = tensor(dtype, [3, 7]).sort(-1).values.contiguous()
    for right in ["", ", right=True"]:
        call(f"bucketize(x, b{right})", x=x, b=line)
        call(f"searchsorted(b, x{right})", x=x, b=line)
        call(f"searchsorted(b, x{right})", x=x, b=lines)
    call("isin(x, t)", x=x, t=tensor(dtype, [2, 4]))
    call("isin(x, t)", x=x, t=tensor(dtype, [0]))
call("bucketize(x, b)", x=torch.tensor([float("nan"), 1.0, float("inf"), -3.0]), b=torch.tensor([0.0, 1.0, 2.0]))
call("bucketize(x, b, right=True)", x=torch.tensor([float("nan"), 1.0, float("inf"), -3.0]), b=torch.tensor([0.0, 1.0, 2.0]))
for dtype in DTYPES:
    x = tensor(dtype, [4, 3])
    for text in ["diff(x)", "diff(x, dim=0)", "x.diff(n=2, dim=0)", "diff(x, 5)", "diff(x, 0)"]:
        call(text, x=x)

# Written at places; of several that come to one, only what does not depend on their order, and sums that are exact.
for dtype in DTYPES:
    if dtype == "bool":
        continue
    x = tensor(dtype, [4, 5])
    for reduce in ["sum", "prod", "mean", "amax", "amin"]:
        small = tensor(dtype, [3, 5], [source.randrange(0, 3) for _ in range(15)])
        for include in ["", ", include_self=False"]:
            shape = source.choice([[3, 5], [2, 4], [3, 1]])
            call(f"scatter_reduce(x, 0, i, s, '{reduce}'{include})", x=tensor(dtype, [4, 5], [source.randrange(0, 4) for _ in range(20)]), i=indices(shape, 4, False), s=small)
    call("scatter(x, 1, i, s)", x=x, i=tensor("int64", [2, 3], [4, 0, 2, 1, 3, 0]), s=tensor(dtype, [2, 4]))
    call("x.scatter(0, i, s) + x", x=x, i=tensor("int64", [2, 5], [0, 1, 2, 3, 0, 3, 2, 1, 0, 1]), s=tensor(dtype, [3, 5]))
    call("index_add(x, 0, i, s)", x=tensor(dtype, [4, 5], [source.randrange(0, 9) for _ in range(20)]), i=indices([6], 4, False), s=tensor(dtype, [6, 5], [source.randrange(0, 5) for _ in range(30)]))
    call("x.index_add(1, i, s, alpha=2)", x=x, i=indices([2], 5, False, "int32"), s=tensor(dtype, [4, 2], [source.randrange(0, 5) for _ in range(8)]))

# What is refused, now or when it is looked at.
x = tensor("float32", [3, 2])
for text, i in [
    ("x[i]", tensor("int64", [2], [0, 3])), ("x[i]", tensor("int64", [1], [-4])), ("x[:, i]", tensor("int64", [1], [2])),
    ("x[i]", tensor("float32", [2])), ("x[i, i, i]", tensor("int64", [1], [0])), ("x[i, [0, 1, 1]]", tensor("int64", [2], [0, 1])),
    ("x[..., 0, 0, i]", tensor("int64", [1], [0])), ("gather(x, 0, i)", tensor("int64", [1, 1], [3])),
    ("gather(x, 0, i)", tensor("int64", [1, 1], [-1])), ("gather(x, 0, i)", tensor("int64", [1], [0])),
    ("gather(x, 2, i)", tensor("int64", [1, 1], [0])), ("gather(x, 1, i)", tensor("int64", [4, 1], [0, 0, 0, 0])),
    ("gather(x, 0, i)", tensor("float32", [1, 1])), ("take_along_dim(x, i, 0)", tensor("float32", [1, 1])),
    ("take_along_dim(x, i, 0)", tensor("int64", [1], [0])), ("take_along_dim(x, i, 0)", tensor("int64", [2, 3], [0] * 6)),
    ("take(x, i)", tensor("int32", [1], [0])), ("index_select(x, 0, i)", tensor("int64", [1, 1], [0])),
    ("index_select(x, 3, i)", tensor("int64", [1], [0])), ("masked_fill(x, i, 1)", tensor("int64", [2], [0, 1])),
    ("masked_fill(x, x > 0, i)", tensor("float32", [2])), ("bucketize(x, i)", tensor("float32", [2, 2])),
    ("searchsorted(i, x)", tensor("float32", [2, 2])), ("searchsorted(i, x)", tensor("float32", [])),
    ("diff(i)", tensor("float32", [])), ("diff(i, -1)", tensor("float32", [2])), ("diff(i, 1, 1)", tensor("float32", [2])),
]:
    call(text, x=x, i=i)
for text, i, s in [
    ("scatter(x, 0, i, s)", tensor("int64", [1, 2], [3, 0]), tensor("float32", [1, 2])),
    ("scatter(x, 0, i, s)", tensor("int64", [1, 2], [-1, 0]), tensor("float32", [1, 2])),
    ("scatter(x, 0, i, s)", tensor("int64", [1, 2], [1, 0]), tensor("float64", [1, 2])),
    ("scatter(x, 0, i, s)", tensor("int64", [1, 3], [1, 0, 1]), tensor("float32", [1, 3])),
    ("scatter(x, 0, i, s)", tensor("int64", [1], [1]), tensor("float32", [1, 2])),
    ("scatter_reduce(x, 0, i, s, 'max')", tensor("int64", [1, 2], [1, 0]), tensor("float32", [1, 2])),
    ("index_add(x, 0, i, s)", tensor("int64", [2], [1, 0]), tensor("float32", [3, 2])),
    ("index_add(x, 0, i, s)", tensor("int64", [2], [1, 0]), tensor("float64", [2, 2])),
    ("index_add(x, 0, i, s)", tensor("int64", [2], [1, 0]), tensor("float32", [2, 3])),
]:
    call(text, x=x, i=i, s=s)
call("x[m]", ["m"], x=x, m=tensor("bool", [2]))
call("x[:, m]", ["m"], x=x, m=tensor("bool", [3]))
call("x[m]", ["m"], x=x, m=tensor("bool", [3, 3]))

# Masks that are computed: how many of their elements are true decides the shape.
for dtype in DTYPES:
    call("x[x > 20]", x=tensor(dtype, [4, 3]))
x = tensor("float32", [5, 3, 4])
for text in ["x[x > 3]", "x[:, x[0, :, 0] > 0]", "x[x[:, 0, 0] > 0, 1:]", "x[x.amax((1, 2)) > 12, ..., -1]", "x[~(x < 5) & (x != 7)] * 2 - x.mean()",
             "x[x > 1000]", "x[x[:, 0, 0] >= 0][x[x[:, 0, 0] >= 0] < 5]", "x[x > 0, 0]"]:
    call(text, x=x)
call("x[x > 0]", x=tensor("float32", []))

# Histograms; ends that floats of every width hold.
for dtype in ["float16", "bfloat16", "float32", "float64"]:
    x = tensor(dtype, [5, 7])
    for text in ["histc(x)", "histc(x, bins=7)", "x.histc(5, -8, 8)", "histc(x, 3, 2, 2.5)", "histc(x, 4, min=-100, max=-50)", "histc(x * 0 + 3, 4)"]:
        call(text, x=x)
x = torch.tensor([float("nan"), 1.0, float("inf"), -3.0, 2.0, 0.1, 0.3, 0.7])
for text in ["histc(x, 10, 0, 1)", "histc(x, 4, -3, 2)", "histc(x[1:2], 3)", "histc(x[:0], 3)", "histc(x[:0], 3, 5, 6)", "histc(x, 0, 0, 1)", "histc(x, 4, 3, 1)",
             "histc(x.int(), 4)"]:
    call(text, x=x)

# Written by index: views, one vector, several, masks, and mixed forms, of every dtype and broadcast values.
for dtype in DTYPES:
    x = tensor(dtype, [5, 3, 4])
    for text, shape in [
            ("x.at[1].set(v)", [3, 4]), ("x.at[1:4, -1].set(v)", [4]), ("x.at[..., ::2].set(v)", [5, 3, 2]), ("x.at[1::3, None, :, 3].set(v)", [1, 3]),
            ("x.at[:0].set(v)", [4]), ("x.at[i].set(v)", [3, 3, 4]), ("x.at[:, i % 3].set(v)", [3, 1]), ("x.at[1:, i % 3, i % 4].set(v)", [3]),
            ("x.at[i, :, i % 4].set(v)", [1]), ("x.at[x > 0].set(v)", []), ("x.at[:, i % 3].add(v)", [5, 3, 4]), ("x.at[2].add(v)", [])]:
        call(text, x=x, v=tensor(dtype, shape), i=indices([3], 5))
    call("x.at[i, i % 3].add(v)", x=x, v=tensor(dtype, [3, 4]), i=torch.tensor([4, 0, 4]))
    call("x.at[1:3].set(2.75)" if dtype.startswith(("float", "bfloat")) else "x.at[1:3].set(1)", x=x)
    call("masked_scatter(x, x > 0, v)", x=x, v=tensor(dtype, [70]))
    call("masked_scatter(x, m, v)", x=x, m=tensor("bool", [3, 1]), v=tensor(dtype, [5, 3, 4]))
x = tensor("float32", [5, 3, 4])
v = tensor("float32", [4])
m = torch.tensor([True, False, True, True, False])
for text in ["x.at[m].set(v)", "x.at[m, 1].set(v)", "x.at[m, 1:].set(7)", "x.at[m].set(v.reshape(1, 1, 4))", "x.at[m].set(x[:3])", "x.at[m].set(x[:2])", "x.at[m, :, -1].set(x[:3, :, 0])",
             "x.at[None, m].set(0)", "x.at[x > 5].set(v)", "x.at[x > 100].set(0)", "x.at[:, x[0] > 0].set(9)", "x.at[:, x[0] > 0].set(x[:, x[0] > 0] * 2)", "x.at[m, i].set(1)",
             "x.at[m].add(1)", "x.at[m].add(v)", "x.at[...].set(0)", "x.at[..., None].set(v.reshape(4, 1))", "x.at[i].set(v)", "x.at[i, 0].set(v)",
             "x.at[i, :, i].set(v)", "x.at[i].set(x)", "x.at[i, i].set(x[:3, 0])", "x.at[[0, -1]].set(v)", "x.at[[0, 0]].set(x[1:3])",
             "x.at[7].set(0)", "x.at[0, 0, 0, 0].set(0)", "x.at[0].set(v[:2])", "x.at[0].set(x)", "x.at[0, 0].set(x[:1, :1])", "x.at[i + 3].set(0)", "x.at[i - 9].set(0)", "x.at[0, i + 3].set(0)",
             "x.at[i, i + 3].set(0)", "x.at[i, i - 9].set(0)", "x.at[m[:3]].set(0)", "x.at[:, m].set(0)", "x.at[v].set(0)", "x.at[i].set(v.double())", "x.at[0].set(v.double() / 3)",
             "x.at[i].set(m)", "x.at[i].add(v.double())", "x.at[i[0]].set(v)", "x.at[i[0], i[1]].set(v)", "x.at[i[1], :, i].set(1)", "x.at[i[0]].set(m)", "x.at[:, i[0]].set(v)"]:
    call(text, x=x, v=v, m=m, i=torch.tensor([2, 0, 2]))
x = torch.tensor(1.5)
for text in ["x.at[...].set(3)", "x.at[None].set(4)", "x.at[0].set(4)", "x.at[...].add(3)"]:
    call(text, x=x)
x = tensor("float32", [4, 3])
m = torch.tensor([[True], [False], [True], [True]])
for text in ["masked_scatter(x, m, v)", "x.masked_scatter(x > 0, v)", "masked_scatter(x, m, v[:8])", "masked_scatter(x, m & False, v[:0])", "masked_scatter(x, m, v.int())", "masked_scatter(x, v, v)",
             "masked_scatter(x, m[:2], v)", "masked_scatter(x[0], m, v)"]:
    call(text, x=x, m=m, v=tensor("float32", [12]))

# Histograms: of even bins, of any, weighted, and as a density.
for dtype in ["float32", "float64"]:
    x = tensor(dtype, [6, 8])
    for text in ["histogram(x, 8, -16, 16)", "histogram(x, 5, -10, 10)", "histogram(x, e)", "histogram(x, e, weight=w)", "histogram(x, 4, -8, 8, density=True)", "histogram(x, 4, 2, 2)",
                 "histogram(x, 8, -16, 16, w)", "histogram(x * 0 + 1, 4)", "histogram(x[:0], 4)"]:
        call(text, x=x, e=torch.tensor([-12, -3, -3, 0, 5.5], dtype=getattr(torch, dtype)), w=tensor(dtype, [6, 8]))
x = torch.tensor([float("nan"), 1.0, float("inf"), -3.0, 2.0, 0.1, 0.3, 0.7])
for text in ["histogram(x, 4, -3, 2)", "histogram(x, 0)", "histogram(x, 2, 3, 1)", "histogram(x, x[:0])", "histogram(x, x.double())",
             "histogram(x, x.reshape(2, 4))", "histogram(x, x[:1])", "histogram(x.int(), 3)", "histogram(x.half(), 3)", "histogram(x, 2, 0, 1, x[:3])", "histogram(x, 2, 0, 1, x.double())"]:
    call(text, x=x)

# Lines that are long enough to be searched, with NaN, and out of order.
for dtype in [dtype for dtype in DTYPES if dtype != "bool"]:
    x = tensor(dtype, [3, 5])
    for right in ["", ", right=True"]:
        call(f"bucketize(x, b{right})", x=x, b=tensor(dtype, [100]).sort().values)
        call(f"searchsorted(b, x{right})", x=x, b=tensor(dtype, [3, 70]).sort(dim=-1).values)
        call(f"searchsorted(b, x{right})", x=x, b=tensor(dtype, [3, 70]))
    call("isin(x, t)", x=x, t=tensor(dtype, [9, 9]))
    call("isin(x[1, 2], t)", x=x, t=tensor(dtype, [2, 41]))
x = torch.tensor([float("nan"), 1.0, float("inf"), -3.0, -0.0, 63.0, 70.0, float("-inf")])
b = torch.cat([torch.arange(70.0), torch.tensor([float("inf"), float("inf"), float("nan"), float("nan"), float("nan")])])
for text in ["bucketize(x, b)", "bucketize(x, b, right=True)", "searchsorted(b.reshape(1, 75), x.reshape(1, 8))", "isin(x, b)", "isin(x, -b)", "isin(x, b.double() / 7 * 7)",
             "isin(x.int(), b[:70])", "isin(x[3:7], b[:70].int())", "x[isin(x, b[:70])]", "bucketize(x[:0], b)", "bucketize(x[1], b)"]:
    call(text, x=x, b=b)

for vector in vectors:
    print(json.dumps(vector, separators=(",", ":")))
