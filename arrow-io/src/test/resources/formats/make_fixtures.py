"""Makes the files of this folder with the libraries of their formats: numpy, h5py, netCDF4, scipy, tifffile, imagecodecs, pillow and safetensors.

Element i (in row-major order) of an array of a type is formula(type, i), which Formula.java says once more.
"""
import json
import os
import struct
import sys

import numpy as np

SCALES = {"float16": 0.25, "float32": 0.25, "float64": 0.25, "bfloat16": 0.25, "int8": 1, "int16": 300, "int32": 70_000, "int64": 5_000_000_000,
          "uint8": 2, "uint16": 650, "uint32": 43_000_000, "uint64": 90_000_000_000_000_000}


def formula(kind, i):
    n = (np.asarray(i, dtype=np.int64) * 37 + 11) % 100
    if kind == "bool":
        return n % 2 == 1
    if kind.startswith("u"):
        return n.astype(np.uint64) * np.uint64(SCALES[kind])
    return (n - 50) * SCALES[kind]


def array(kind, *shape, order="="):
    values = formula(kind, np.arange(int(np.prod(shape, dtype=np.int64)))).reshape(shape)
    return values.astype(np.dtype(kind).newbyteorder(order))


def bfloat16(*shape):
    return (array("float32", *shape).view(np.uint32) >> 16).astype("<u2")


def safetensors():
    from safetensors.numpy import save_file
    kinds = ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]
    tensors = {"layer." + kind: array(kind, 5, 3, 4) for kind in kinds}
    tensors |= {"scalar": array("float32").reshape(()), "empty": array("int32", 0, 3), "unsigned": array("uint16", 3), "one": array("int16", 7)}
    save_file(tensors, "library.safetensors", metadata={"format": "np", "step": "17"})
    save_file({"x": array("float64", 300, 8, 5)}, "large.safetensors")
    # The library's numpy face has no bfloat16: by the format's description.
    data = bfloat16(4, 6).tobytes()
    header = json.dumps({"weights": {"dtype": "BF16", "shape": [4, 6], "data_offsets": [0, len(data)]}}).encode()
    with open("bfloat16.safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header + data)


if __name__ == "__main__":
    for name in sys.argv[1:] or ["safetensors"]:
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
        globals()[name]()
