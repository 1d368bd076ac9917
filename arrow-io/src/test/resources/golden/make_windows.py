"""Writes windows.jsonl: python3 make_windows.py > windows.jsonl (PyTorch 2.13, pandas)."""
import json
import random

import pandas
import torch

from vectors import number, stored

source = random.Random(77)
vectors = []


def vector(text, x, result=None, error=None, **more):
    made = {"id": f"windows-{len(vectors)}", "kind": "call", "text": text, "tensors": {"x": stored(x)}, **more}
    if error:
        made["error"] = error
    else:
        made["expect"] = {"dtype": str(result.dtype).removeprefix("torch."), "shape": list(result.shape),
                          "values": [number(v) for v in result.flatten().tolist()]}
    vectors.append(made)


def call(text, x):
    try:
        vector(text, x, eval(text, {"x": x}))
    except (RuntimeError, IndexError) as refused:
        vector(text, x, error=str(refused).splitlines()[0])


def values(dtype, shape):
    count = torch.Size(shape).numel()
    chosen = [source.randrange(-40, 40) / 8 if dtype.startswith(("float", "bfloat")) else source.randrange(0, 90) for _ in range(count)]
    made = torch.tensor(chosen, dtype=getattr(torch, dtype)).reshape(shape)
    return made.t().contiguous().t() if len(shape) == 2 and source.random() < 0.5 else made


for dtype in ["float16", "bfloat16", "float32", "float64", "uint8", "int16", "int64"]:
    for shape in [[9], [8, 3], [2, 7, 3]]:
        for dim in range(-1, len(shape)):
            size = source.randint(1, shape[dim])
            call(f"x.unfold({dim}, {size}, {source.randint(1, 3)})", values(dtype, shape))
    x = values(dtype, [9, 4])
    for text in ["x.unfold(0, 3, 1) * 2", "(x + 1).unfold(0, 2, 2).sum(-1)", "x.unfold(0, 4, 1).unfold(1, 2, 1)", "x.unfold(0, 3, 2)[1:]",
                 "x.t().unfold(1, 5, 2)", "x.unfold(0, 3, 1).flip(0)", "x.flip(0).unfold(0, 3, 2)", "x[1:].unfold(0, 2, 3)[..., 1]",
                 "x.unfold(0, 3, 1).sum((1, 2))", "x.unfold(0, 9, 1)", "x.unfold(1, 0, 2)", "x.unfold(0, 3, 1).amax(0)"]:
        call(text, x)
for text in ["x.unfold(0, 10, 1)", "x.unfold(0, 2, 0)", "x.unfold(0, -1, 1)", "x.unfold(2, 1, 1)"]:
    call(text, values("float32", [9, 4]))

for dtype in ["float32", "float64"]:
    for shape in [[12], [40, 3], [2, 15, 3]]:
        for func in ["sum", "mean", "min", "max", "var", "std"]:
            dim = source.randrange(len(shape))
            window = source.randint(2, max(2, shape[dim] - 1))
            x = values(dtype, shape)
            lines = x.double().movedim(dim, -1).reshape(-1, shape[dim]).tolist()
            # each window by itself: pandas moves sums along, and its roundings with them
            rolled = torch.tensor([pandas.Series(line).rolling(window).apply(lambda w: getattr(w, func)()).tolist() for line in lines], dtype=torch.float64)
            result = rolled.reshape(x.movedim(dim, -1).shape).movedim(-1, dim).to(x.dtype)
            vector(f"rolling(x, {dim}, {window}, '{func}')", x, result, ulp=3)

# Padding, and slices of what is padded.
pad = torch.nn.functional.pad
for dtype in ["float32", "float64", "int64"]:
    x = torch.tensor([source.randrange(-20, 20) for _ in range(120)], dtype=getattr(torch, dtype)).reshape(1, 4, 5, 6)
    for text in ["pad(x, (1, 2))", "pad(x, (0, 1, 2, 0), value=7)", "pad(x, (-1, 2, 0, 0, 1, 1), 'constant', 3)", "pad(x, (1, 2, 0, 1), mode='reflect')",
                 "pad(x, (1, 2, 3, 0), mode='replicate')", "pad(x, (2, 1, 0, 3), 'circular')", "pad(x, (1, 1, 1, 1), mode='replicate')[:, :, 1:, :-1]",
                 "pad(x, (1, 1, 1, 1))[:, 1:, ::2, ::3] - pad(x, (1, 1, 1, 1), value=1)[:, :-1, ::2, 1:8:3]", "pad(x, (0, 0, 1, 0), mode='replicate')[:, :, 1:] - pad(x, (0, 0, 1, 0), mode='replicate')[:, :, :-1]",
                 "pad(x, (1, 2, 3))", "pad(x, (6, 0, 0, 0), mode='reflect')"]:
        try:
            vector(text, x, eval(text, {"x": x, "pad": pad}))
        except RuntimeError as refused:
            vector(text, x, error=str(refused).splitlines()[0])

for made in vectors:
    print(json.dumps(made, separators=(",", ":")))
