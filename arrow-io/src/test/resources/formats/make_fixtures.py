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
    save_file({"x": array("float64", 60, 8, 5)}, "large.safetensors")
    # The library's numpy face has no bfloat16: by the format's description.
    data = bfloat16(4, 6).tobytes()
    header = json.dumps({"weights": {"dtype": "BF16", "shape": [4, 6], "data_offsets": [0, len(data)]}}).encode()
    with open("bfloat16.safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header + data)


def netcdf3():
    import netCDF4
    classic = {"int8": "i1", "int16": "i2", "int32": "i4", "float32": "f4", "float64": "f8"}
    wide = classic | {"uint8": "u1", "uint16": "u2", "uint32": "u4", "int64": "i8", "uint64": "u8"}
    for name, format in {"classic": "NETCDF3_CLASSIC", "offset64": "NETCDF3_64BIT_OFFSET", "cdf5": "NETCDF3_64BIT_DATA"}.items():
        with netCDF4.Dataset(name + ".nc", "w", format=format) as file:
            file.title = "a fixture"
            file.createDimension("time", None)
            file.createDimension("y", 3)
            file.createDimension("x", 5)
            for kind, code in (wide if name == "cdf5" else classic).items():
                fixed = file.createVariable("fixed_" + kind, code, ("y", "x"))
                fixed[:] = array(kind, 3, 5)
                fixed.units = "K"
                fixed.numbers = np.asarray([1, 2, 3], "i4")
                fixed.half = np.float32(0.5)
                records = file.createVariable("records_" + kind, code, ("time", "y", "x"))
                records[:] = array(kind, 7, 3, 5)
            file.createVariable("scalar", "f8", ())[:] = array("float64", 1)[0]
            file.createVariable("time", "f8", ("time",))[:] = array("float64", 7)
            file["time"].units = "hours since 1970-01-01"
            file.createVariable("letters", "S1", ("x",))[:] = np.array(list("abcde"), "S1")
    with netCDF4.Dataset("one-record-variable.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("t", None)
        file.createDimension("x", 3)
        file.createVariable("v", "i2", ("t", "x"))[:] = array("int16", 6, 3)  # six bytes a record, without padding
    with netCDF4.Dataset("no-records.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("t", None)
        file.createVariable("v", "i4", ("t",))
        file.createVariable("w", "i4", ("t",))
    with netCDF4.Dataset("large.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("t", None)
        file.createDimension("x", 200)
        file.createVariable("v", "f4", ("t", "x"))[:] = array("float32", 60, 200)
        file.createVariable("w", "f8", ("t",))[:] = array("float64", 60)
    packed(netCDF4, "packed.nc", "NETCDF3_CLASSIC")


def packed(netCDF4, name, format):
    """Packed numbers as CF has them; expected-packed.json is what xarray makes of them."""
    cases = {
        "scale_f4": ("i2", {"scale_factor": np.float32(0.25), "add_offset": np.float32(100)}),
        "scale_f8": ("i2", {"scale_factor": np.float64(0.01), "add_offset": np.float64(273.15)}),
        "scale_int4": ("i4", {"scale_factor": np.float32(0.5), "add_offset": np.float32(1)}),
        "scale_alone": ("i2", {"scale_factor": np.float32(0.1)}),
        "offset_alone": ("i1", {"add_offset": np.float32(5)}),
        "fill_int2": ("i2", {"_FillValue": np.int16(-15000)}),
        "fill_int4": ("i4", {"_FillValue": np.int32(-3500000)}),
        "fill_f4": ("f4", {"_FillValue": np.float32(-12.5)}),
        "fill_f8": ("f8", {"_FillValue": np.float64(-12.5), "missing_value": np.float64(12.25)}),
        "missing": ("i2", {"missing_value": np.int16(-15000)}),
        "unsigned": ("i1", {"_Unsigned": "true", "_FillValue": np.int8(-1), "scale_factor": np.float32(2), "add_offset": np.float32(1)}),
    }
    kinds = {"i1": "int8", "i2": "int16", "i4": "int32", "f4": "float32", "f8": "float64"}
    with netCDF4.Dataset(name, "w", format=format) as file:
        file.set_auto_maskandscale(False)
        file.createDimension("n", 100)
        for key, (code, attributes) in cases.items():
            variable = file.createVariable(key, code, ("n",), fill_value=attributes.get("_FillValue"))
            variable.set_auto_maskandscale(False)
            variable.setncatts({name: value for name, value in attributes.items() if name != "_FillValue"} | {"units": "K"})
            variable[:] = array(kinds[code], 100)
    import xarray
    with xarray.open_dataset(name, decode_times=False) as decoded:
        expected = {key: {"dtype": str(decoded[key].dtype), "values": [None if np.isnan(v) else float(v) for v in decoded[key].values]} for key in cases}
    with open(name.replace(".nc", ".json"), "w") as out:
        json.dump(expected, out)


FOLDERS = {"safetensors": safetensors, "netcdf": netcdf3}

if __name__ == "__main__":
    for name in sys.argv[1:] or FOLDERS:
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
        FOLDERS[name]()
