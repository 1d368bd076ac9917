"""Writes order.jsonl: python3 make_order.py > order.jsonl (PyTorch 2.13)."""
import itertools
import json
import random

import torch

from torch import argsort, kthvalue, median, nanmedian, sort, topk

from vectors import number

FLOATING = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
DTYPES = FLOATING + INTEGERS + ["bool"]
SHAPES = [[7], [2, 5], [5, 2], [3, 2, 4], [4, 1], [14, 3]]
SPECIAL = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.5, -2.5, 1.0]
NAMES = {"topk": topk, "sort": sort, "argsort": argsort, "kthvalue": kthvalue, "median": median, "nanmedian": nanmedian}

source = random.Random(13)
vectors = []


def spread(dtype, count, distinct):
    """Values of a dtype: each once, or some several times, and then NaN and both infinities and zeros among them."""
    if dtype == "bool":
        return [source.random() < 0.5 for _ in range(count)]
    if dtype in FLOATING:
        if distinct:
            return source.sample([i / 4 for i in range(-60, 61)] + [float("inf"), float("-inf")], count)
        return [source.choice(SPECIAL) for _ in range(count)]
    ends = torch.iinfo(getattr(torch, dtype))
    near = [ends.min, ends.min + 1, ends.max - 1, ends.max] + list(range(60, 110))
    return source.sample(near, count) if distinct else [source.choice([ends.min, ends.max, 3, 1, 3]) for _ in range(count)]


def operand(dtype, shape, distinct=False):
    """A tensor, in row-major order, transposed or with gaps."""
    count = torch.Size(shape).numel()
    form = source.choice(["plain", "turned", "gaps"]) if len(shape) > 1 else source.choice(["plain", "gaps"])
    values = spread(dtype, count, distinct)
    storage = list(itertools.chain(*((value, value) for value in values))) if form == "gaps" else values
    stride = []
    step = 2 if form == "gaps" else 1
    for size in shape if form == "turned" else reversed(shape):
        stride.append(step)
        step *= max(1, size)
    if form != "turned":
        stride.reverse()
    tensor = torch.tensor(storage, dtype=getattr(torch, dtype)).as_strided(shape, stride)
    return {"dtype": dtype, "shape": shape, "stride": stride, "offset": 0, "storage": [number(v) for v in storage]}, tensor


def call(text, node, tensor, **more):
    vector = {"id": f"order-{len(vectors)}", "kind": "call", "text": text, "tensors": {"x": node}, **more}
    try:
        result = eval(text, NAMES | {"x": tensor})
        result = result if isinstance(result, torch.Tensor) else result[0]
        values = [number(value) for value in result.flatten().tolist()]
        dtype = str(result.dtype).removeprefix("torch.")
        vector["expect"] = {"dtype": dtype, "shape": list(result.shape), "values": values}
    except (RuntimeError, IndexError, NotImplementedError) as refused:
        vector["error"] = str(refused).splitlines()[0]
    vectors.append(vector)


def written(**arguments):
    return "".join(f", {name}={value}" for name, value in arguments.items())


def each(name, arguments, positional=""):
    """Values that may be equal, where PyTorch may choose among them, but for the places of values that are not."""
    for dtype in DTYPES:
        for shape in source.sample(SHAPES, 3):
            dim = source.randrange(-len(shape), len(shape))
            given = written(dim=dim, **arguments)
            node, tensor = operand(dtype, shape)
            k = positional and f", {source.randint(1, shape[dim])}"
            call(f"{name}(x{k}{given})", node, tensor)
            if dtype != "bool":
                node, tensor = operand(dtype, shape, distinct=True)
                call(f"{name}(x{k}{given}).indices", node, tensor)


for descending in ["False", "True"]:
    for dtype in DTYPES:
        for shape in SHAPES:  # stable: zeros keep their order, and so do their signs
            dim = source.randrange(-len(shape), len(shape))
            given = written(dim=dim, descending=descending, stable="True")
            node, tensor = operand(dtype, shape)
            which = source.choice([".values", "[0]", "", ".indices", "[1]"])
            call(f"sort(x{given}){which}", node, tensor, signed_zero=True)
            call(f"argsort(x{given})", node, tensor)
each("sort", {})
each("sort", {"descending": "True"})
each("topk", {}, "k")
each("topk", {"largest": "False"}, "k")
each("topk", {"largest": "True", "sorted": "True"}, "k")
each("kthvalue", {}, "k")
each("kthvalue", {"keepdim": "True"}, "k")

# Lines of many values, and others that need no more than the names of the arguments.
for dtype in DTYPES:
    node, tensor = operand(dtype, [2, 150])
    call("sort(x, stable=True).indices", node, tensor)
    call("x.argsort(dim=0, stable=True)", node, tensor)
for dtype in ["float32", "float16", "int64", "uint8"]:
    node, tensor = operand(dtype, [50], distinct=True)
    for text in ["topk(x, 3)", "x.topk(3).indices", "x.topk(k=50, dim=0)[-1]", "topk(x, 0)", "x.kthvalue(9)[1]", "x.sort()[-2]"]:
        call(text, node, tensor)

# Scalars, and dimensions without elements.
for dtype in DTYPES:
    node, tensor = operand(dtype, [])
    for text in ["topk(x, 1)", "topk(x, 0, 0).indices", "topk(x, 2)", "topk(x, 1, 1)", "sort(x)", "sort(x, -1).indices", "sort(x, -2)"]:
        call(text, node, tensor)
    for text in ["argsort(x)", "kthvalue(x, 1)", "kthvalue(x, 1, 0, True).indices", "kthvalue(x, 0)", "kthvalue(x, 2)"]:
        call(text, node, tensor)
for dtype in ["float32", "int64", "bool"]:
    for shape in [[0], [0, 3], [3, 0], [2, 0, 3]]:
        node, tensor = operand(dtype, shape)
        for dim in range(-1, len(shape)):
            for text in [f"topk(x, 0, {dim})", f"topk(x, 2, {dim})", f"sort(x, {dim}).indices", f"argsort(x, {dim})"]:
                call(text, node, tensor)
            for text in [f"kthvalue(x, 1, {dim})", f"kthvalue(x, 3, {dim}, True).indices", f"kthvalue(x, 4, {dim})"]:
                call(text, node, tensor)

# What is refused.
for dtype in ["float32", "int16", "bool"]:
    for shape in [[3], [2, 3]]:
        node, tensor = operand(dtype, shape)
        for text in ["topk(x, 4)", "topk(x, -1)", "topk(x, 9, 5)", "topk(x, 2, -3)", "topk(x, 1)[2]", "sort(x, 2)", "sort(x)[2]"]:
            call(text, node, tensor)
        for text in ["argsort(x, 2)", "argsort(x, -3)", "kthvalue(x, 0)", "kthvalue(x, 4)", "kthvalue(x, 9, 5)", "kthvalue(x, 1, -3)"]:
            call(text, node, tensor)

# Medians, of which PyTorch gives both along a dimension.
for dtype in FLOATING + INTEGERS:
    node, tensor = operand(dtype, [3, 5], distinct=True)
    for text in ["median(x, 1).indices", "median(x, 0)[1]", "nanmedian(x, -1, True).values", "x.median(dim=0)[0]", "median(x)"]:
        call(text, node, tensor)



def described(tensor):
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": dtype, "shape": list(tensor.shape), "values": [number(v) for v in tensor.flatten().tolist()]}


# Distinct values, of which PyTorch counts each NaN by itself, and leaves open which element is which of several.
for dtype in DTYPES:
    for shape in SHAPES + [[], [0], [0, 3], [200], [2, 60], [40]]:
        node, tensor = operand(dtype, shape, distinct=shape == [40])
        if dtype in FLOATING and shape == [2, 60]:
            tensor = tensor.nan_to_num(2.5, posinf=float("inf"), neginf=float("-inf")).clone()
            node = described(tensor)
            node = {"dtype": dtype, "shape": shape, "stride": [60, 1], "offset": 0, "storage": node["values"]}
        found = torch.unique(tensor, return_inverse=True, return_counts=True)
        expect = dict(zip(["values", "inverse", "counts"], map(described, found)))
        if tensor.isnan().sum() > 1:
            del expect["inverse"]
        vectors.append({"id": f"order-{len(vectors)}", "kind": "unique", "a": node, "expect": expect})

for dtype in DTYPES:
    for shape in [[6], [8, 1], [9, 2], [1, 8], [2, 9], [12, 1, 2], [2, 12], [0], [0, 3], [3, 0], []]:
        for dim in range(-1, max(1, len(shape))):
            node, tensor = operand(dtype, shape)
            tensor = tensor.nan_to_num(1.5, posinf=float("inf"), neginf=float("-inf")) if dtype in FLOATING else tensor
            node = {**described(tensor), "stride": list(torch.empty(shape).stride()), "offset": 0}
            node["storage"] = node.pop("values")
            vector = {"id": f"order-{len(vectors)}", "kind": "unique", "a": node, "dim": dim}
            try:
                found = torch.unique(tensor, dim=dim, return_inverse=True, return_counts=True)
                vector["expect"] = dict(zip(["values", "inverse", "counts"], map(described, found)))
            except (RuntimeError, IndexError) as refused:
                vector["error"] = str(refused).splitlines()[0]
            vectors.append(vector)

# The next value of a dtype: at zero, between powers of two, among subnormals and at both ends.
for dtype in FLOATING:
    info = torch.finfo(getattr(torch, dtype))
    least = torch.nextafter(torch.zeros(1, dtype=getattr(torch, dtype)), torch.ones(1, dtype=getattr(torch, dtype))).item()
    from_values = SPECIAL + [info.max, -info.max, info.tiny, -info.tiny, least, -least, 1.0, 2.0, -2.0, 0.0, -0.0, info.max]
    to_values = [source.choice([0.0, -0.0, float("inf"), float("-inf"), 1.0, float("nan")]) for _ in from_values[:-3]] + [-1.0, 1.0, float("inf")]
    for towards, y_dtype in ((to_values, dtype), ([1.0] * len(from_values), "int32")):
        tensors = {"x": (from_values, dtype), "y": ([int(v) for v in towards] if y_dtype == "int32" else towards, y_dtype)}
        made = {name: torch.tensor(values, dtype=getattr(torch, each)) for name, (values, each) in tensors.items()}
        result = torch.nextafter(made["x"], made["y"])
        nodes = {name: {**described(t), "stride": [1], "offset": 0} for name, t in made.items()}
        for node in nodes.values():
            node["storage"] = node.pop("values")
        vectors.append({"id": f"order-{len(vectors)}", "kind": "call", "text": "nextafter(x, y)", "tensors": nodes,
                        "ulp": 0, "signed_zero": True, "expect": described(result)})
for dtype in INTEGERS + ["bool"]:
    node, tensor = operand(dtype, [7])
    vector = {"id": f"order-{len(vectors)}", "kind": "call", "text": "nextafter(x, x)", "tensors": {"x": node}}
    try:
        torch.nextafter(tensor, tensor)
    except RuntimeError as refused:
        vectors.append({**vector, "error": str(refused).splitlines()[0]})

for vector in vectors:
    print(json.dumps(vector, separators=(",", ":")))
