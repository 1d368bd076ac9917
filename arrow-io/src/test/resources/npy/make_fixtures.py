"""Writes the npy and npz files of this folder: python3 make_fixtures.py (NumPy 2.4.6)."""
import io
import struct
import zipfile

import numpy as np

VALUES = {
    "float32": [-1.5, 0.0, 0.25, 1.0, 3.4028234663852886e38, np.inf],
    "float64": [-1.5, 0.0, 0.1, 1.0, 1.7976931348623157e308, -np.inf],
    "float16": [-1.5, 0.0, 0.25, 1.0, 65504.0, np.inf],
    "uint8": [0, 1, 2, 127, 128, 255],
    "int8": [-128, -1, 0, 1, 2, 127],
    "int16": [-32768, -1, 0, 1, 258, 32767],
    "int32": [-2147483648, -1, 0, 1, 16909060, 2147483647],
    "int64": [-9223372036854775808, -1, 0, 1, 72623859790382856, 9223372036854775807],
    "bool": [True, False, True, True, False, False],
}


def header(text, version=1):
    """A header of any text, as damaged and old files have it."""
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode()


def put(name, content):
    with open(name, "wb") as out:
        out.write(content)


def versioned(array, version):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


for name, values in VALUES.items():
    array = np.array(values, name).reshape(2, 3)
    np.save(name, array)
    np.save(name + "-fortran", np.asfortranarray(array))
    if array.itemsize > 1:
        np.save(name + "-big", array.astype(array.dtype.newbyteorder(">")))

np.save("rank0", np.array(2.5))
np.save("rank1", np.arange(5, dtype=np.int16))
np.save("rank4-fortran-big", np.asfortranarray(np.arange(120, dtype=">i4").reshape(2, 3, 4, 5)))
np.save("empty", np.zeros((0, 3), np.float32))
np.save("empty-fortran", np.zeros((2, 0, 3), np.int64, order="F"))
put("version2.npy", versioned(np.arange(6.0).reshape(2, 3), (2, 0)))
put("version3.npy", versioned(np.arange(6.0).reshape(2, 3), (3, 0)))
data = np.arange(6, dtype="<i4").tobytes()
put("python2.npy", header("{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L), }   \n") + data)
put("unaligned.npy", header('{"shape": (2 , 3), "descr" : u"<i4" ,"fortran_order":False}') + data)

# What is refused.
np.save("pickled", np.array([1, "two", None], dtype=object), allow_pickle=True)
np.save("structured", np.zeros(2, [("x", "<f4"), ("y", "<i8", (2,))]))
np.save("complex64", np.zeros(2, np.complex64))
np.save("uint16", np.zeros(2, np.uint16))
np.save("longdouble", np.zeros(2, np.longdouble))
np.save("text", np.array(["a", "bc"]))
np.save("datetime", np.array(["2024-01-01"], "datetime64[D]"))
whole = open("float64.npy", "rb").read()
put("truncated.npy", whole[:-1])
put("truncated-header.npy", whole[:40])
put("trailing.npy", whole + b"\0")
put("claims-more.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000,), }\n") + data)
put("overflow.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n") + data)
put("negative.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }\n") + data)
put("version9.npy", b"\x93NUMPY\x09\x00" + whole[8:])
put("garbage.npy", bytes(range(200)))
put("long-header.npy", header("{'descr'", 2)[:8] + b"\xff\xff\xff\xff" + data)

arrays = {
    "x": np.array(VALUES["float32"], np.float32).reshape(2, 3),
    "flags": np.array(VALUES["bool"]),
    "group/scalar": np.array(7, np.int64),
    "fortran": np.asfortranarray(np.arange(6, dtype=">i2").reshape(2, 3)),
}
np.savez("stored.npz", **arrays)
np.savez_compressed("compressed.npz", **arrays)


class Unseekable(io.RawIOBase):
    """A pipe: the sizes of the entries then follow their data."""

    def __init__(self, out):
        self.out = out

    def writable(self):
        return True

    def write(self, piece):
        return self.out.write(piece)


with open("streamed.npz", "wb") as out:
    np.savez(Unseekable(out), **arrays)
with zipfile.ZipFile("bare-names.npz", "w") as archive:
    archive.writestr("x", open("float32.npy", "rb").read())
    archive.writestr("notes.txt", "not an array")
with zipfile.ZipFile("twice.npz", "w") as archive:
    archive.writestr("x.npy", open("float32.npy", "rb").read())
    archive.writestr("x.npy", open("float64.npy", "rb").read())
with zipfile.ZipFile("lzma.npz", "w", zipfile.ZIP_LZMA) as archive:
    archive.writestr("x.npy", open("float32.npy", "rb").read())
stored = bytearray(open("stored.npz", "rb").read())
stored[stored.index(b"\x93NUMPY") + 128] ^= 0x01
put("damaged.npz", bytes(stored))
