"""Answers a line of JSON, {"text": an expression, "names": its tensors}, with a line: what PyTorch makes of it."""

import json
import sys

import torch

DTYPES = ["float32", "float64", "float16", "uint8", "int8", "int16", "int32", "int64", "bool", "bfloat16"]


def conversion(dtype):
    return lambda value: torch.as_tensor(value).to(dtype)


NAMESPACE = {name: getattr(torch, name) for name in dir(torch) if not name.startswith("_")}
NAMESPACE.update({name: conversion(getattr(torch, name)) for name in DTYPES})
NAMESPACE.update(inf=float("inf"), nan=float("nan"))


def tensor(node):
    dtype = getattr(torch, node["dtype"])
    values = [float(value) if dtype.is_floating_point else value for value in node["values"]]
    return torch.tensor(values, dtype=dtype).reshape(node["shape"])


def answer(request):
    names = {name: tensor(node) for name, node in request["names"].items()}
    try:
        result = eval(request["text"], NAMESPACE | names)
    except (TypeError, NameError) as refusal:  # a signature that only Python has, or takes no plain number there, or no such name
        return {"untyped": str(refusal).splitlines()[0]}
    except (RuntimeError, IndexError, NotImplementedError) as refusal:
        return {"error": str(refusal).splitlines()[0]}
    if isinstance(result, tuple):  # values and indices
        result = result[0]
    result = torch.as_tensor(result)
    dtype = str(result.dtype).removeprefix("torch.")
    return {"dtype": dtype, "shape": list(result.shape), "values": result.flatten().tolist()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
