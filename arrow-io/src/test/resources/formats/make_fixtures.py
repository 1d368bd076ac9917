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


NUMBERS = {"float16": "f2", "float32": "f4", "float64": "f8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8"}
FILTERS = {"deflate": {"compression": "gzip"}, "shuffle_deflate": {"compression": "gzip", "shuffle": True}, "lzf": {"compression": "lzf", "shuffle": True},
           "fletcher32": {"fletcher32": True}, "all": {"compression": "gzip", "shuffle": True, "fletcher32": True}, "shuffle": {"shuffle": True}}


def hdf5():
    import h5py
    with h5py.File("contiguous.h5", "w") as file:
        for kind, code in NUMBERS.items():
            for order, sign in {"little": "<", "big": ">"}.items():
                file.create_dataset(order + "/" + kind, data=array(kind, 4, 3, 5), dtype=sign + code)
        file["bool"] = array("bool", 4, 5)
        file["scalar"] = array("float64", 1)[0]
        file["empty"] = np.zeros((0, 3), "i4")
        file["nested/deeper/x"] = array("int16", 7)
        file["soft"] = h5py.SoftLink("/nested/deeper/x")
        file["nested/loop"] = file["nested"]
        file["text"] = "words"
        file["uint64"] = array("uint64", 3)
        file["null"] = h5py.Empty("f4")
        file["compound"] = np.zeros(3, [("a", "f4"), ("b", "i4")])
        file["colours"] = np.asarray([0, 1, 2], "u1").astype(h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 2}, basetype="u1"))
        file["never"] = np.zeros(0)
        del file["never"]
        file.create_dataset("never", (4, 5), "f4", fillvalue=-1.5)  # nothing is written to it
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_layout(h5py.h5d.COMPACT)
        compact = h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I32BE, h5py.h5s.create_simple((3, 4)), plist)
        compact.write(h5py.h5s.ALL, h5py.h5s.ALL, array("int32", 3, 4))
        x = file["little/float32"]
        x.attrs["units"] = "K"
        x.attrs["numbers"] = np.asarray([1, 2, 3], "i4")
        x.attrs["half"] = np.float32(0.5)
        x.attrs["names"] = ["a", "bc"]
        x.attrs["reference"] = file["bool"].ref
    for name, options in {"chunked": {}, "chunked-latest": {"libver": "v110"}}.items():
        with h5py.File(name + ".h5", "w", **options) as file:
            for key, filters in FILTERS.items():
                file.create_dataset("filters/" + key, data=array("int32", 10, 7, 5), chunks=(4, 3, 5), **filters)
            file.create_dataset("plain", data=array("float64", 10, 7), chunks=(4, 3))
            file.create_dataset("big", data=array("int16", 10, 7), dtype=">i2", chunks=(4, 3), compression="gzip")
            file.create_dataset("unsigned", data=array("uint16", 10, 7), chunks=(4, 3), compression="gzip")
            file.create_dataset("one_chunk", data=array("int32", 6, 5), chunks=(6, 5), compression="gzip")
            file.create_dataset("one_plain_chunk", data=array("int32", 6, 5), chunks=(6, 5))
            file.create_dataset("growing", data=array("float32", 20, 3), chunks=(2, 3), maxshape=(None, 3))
            file.create_dataset("growing_filtered", data=array("float32", 20, 3), chunks=(2, 3), maxshape=(None, 3), compression="gzip")
            file.create_dataset("growing_twice", data=array("int32", 12, 9), chunks=(4, 3), maxshape=(None, None), compression="gzip")
            early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            early.set_chunk((4, 3))
            early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            implicit = h5py.h5d.create(file.id, b"early", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((10, 7)), early)
            implicit.write(h5py.h5s.ALL, h5py.h5s.ALL, array("int32", 10, 7))
            sparse = file.create_dataset("sparse", (10, 7), "i4", chunks=(4, 3), fillvalue=9, compression="gzip")
            sparse[4:8, 3:6] = array("int32", 4, 3)
            holes = file.create_dataset("growing_holes", (20, 3), "i4", chunks=(2, 3), maxshape=(None, 3), fillvalue=9)
            holes[4:6] = array("int32", 2, 3)
            many = file.create_dataset("many_chunks", data=array("int16", 3000), chunks=(2,))
            for i in range(40):
                many.attrs["attribute%02d" % i] = i
            for i in range(40):
                file["many/%02d" % i] = array("int8", 3)
    with h5py.File("user-block.h5", "w", userblock_size=1024) as file:
        file["x"] = array("float32", 5, 4)
        file.create_dataset("chunks", data=array("int32", 10, 7), chunks=(4, 3), compression="gzip")
    with h5py.File("large.h5", "w") as file:
        file["contiguous"] = array("float32", 90, 200)
        file.create_dataset("chunks", data=array("float32", 90, 200), chunks=(10, 200))
    with h5py.File("small.h5", "w") as file:
        file["x"] = array("float32", 5, 4)
        file.create_dataset("chunks", data=array("int32", 10, 7), chunks=(4, 3), compression="gzip", shuffle=True, fletcher32=True)
        file["x"].attrs["units"] = "K"
    registered(h5py)


def registered(h5py):
    """Filters whose libraries h5py does not carry: chunks are encoded here and written as they are."""
    import imagecodecs
    x = array("int32", 40, 37)
    chunks = {(i, j): np.ascontiguousarray(x[i:i + 20, j:j + 37]) for i in (0, 20) for j in (0,)}
    encoders = {
        "lz4": (32004, (), lambda raw: framed(raw, 1000, imagecodecs.lz4_encode)),
        "zstd": (32015, (3,), lambda raw: imagecodecs.zstd_encode(raw)),
        "bitshuffle": (32008, (0, 4, 4, 0, 0), lambda raw: bits(raw, 2048)),
        "bitshuffle_lz4": (32008, (0, 4, 4, 128, 2), lambda raw: blocks(raw, 128, imagecodecs.lz4_encode)),
        "bitshuffle_zstd": (32008, (0, 4, 4, 128, 3), lambda raw: blocks(raw, 128, imagecodecs.zstd_encode)),
        "blosc": (32001, (), lambda raw: raw),
    }
    with h5py.File("registered.h5", "w") as file:
        for key, (number, values, encode) in encoders.items():
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_chunk((20, 37))
            plist.set_filter(number, h5py.h5z.FLAG_OPTIONAL, values)
            dataset = h5py.h5d.create(file.id, key.encode(), h5py.h5t.STD_I32LE, h5py.h5s.create_simple(x.shape), plist)
            for offset, chunk in chunks.items():
                dataset.write_direct_chunk(offset, encode(chunk.tobytes()))


def framed(raw, block, encode):
    out = struct.pack(">QI", len(raw), block)
    for start in range(0, len(raw), block):
        part = encode(raw[start:start + block])
        out += struct.pack(">I", len(part)) + part
    return out


def shuffled(raw):
    import imagecodecs
    return bytes(imagecodecs.bitshuffle_encode(raw, itemsize=4))


def bits(raw, block):
    """Blocks of so many elements, then those that are no eight, as they are."""
    whole = len(raw) // 4 // 8 * 8
    return b"".join(shuffled(raw[4 * i:4 * min(i + block, whole)]) for i in range(0, whole, block)) + raw[4 * whole:]


def blocks(raw, block, encode):
    whole = len(raw) // 4 // 8 * 8
    out = struct.pack(">QI", len(raw), block * 4)
    for i in range(0, whole, block):
        part = encode(shuffled(raw[4 * i:4 * min(i + block, whole)]))
        out += struct.pack(">I", len(part)) + part
    return out + raw[4 * whole:]


def netcdf():
    netcdf3()
    import netCDF4
    with netCDF4.Dataset("version4.nc", "w") as file:
        file.createDimension("time", None)
        file.createDimension("y", 3)
        file.createDimension("x", 5)
        file.createVariable("time", "f8", ("time",))[:] = array("float64", 7)
        field = file.createVariable("field", "i2", ("time", "y", "x"), zlib=True, chunksizes=(2, 3, 5))
        field[:] = array("int16", 7, 3, 5)
        field.units = "K"
        inner = file.createGroup("inner").createVariable("mask", "u1", ("y", "x"))
        inner[:] = array("uint8", 3, 5)
    packed(netCDF4, "packed4.nc", "NETCDF4")


def pictures():
    import tifffile
    kinds = [kind for kind in NUMBERS if kind != "int64"]
    for order, sign in {"little": "<", "big": ">"}.items():
        with tifffile.TiffWriter("types-" + order + ".tif", byteorder=sign) as out:
            for kind in kinds:
                out.write(array(kind, 11, 13), metadata=None, rowsperstrip=4, contiguous=False)
    packings = [(compression, predictor) for compression in (None, "lzw", "deflate", "packbits", "zstd") for predictor in (False, True)]
    for name, options in {"strips": {"rowsperstrip": 4}, "tiles": {"tile": (16, 16)}}.items():
        with tifffile.TiffWriter("packed-" + name + ".tif") as out:
            for compression, predictor in packings:
                for kind in ("uint8", "int16", "uint32", "float32"):
                    if predictor and compression in (None, "packbits"):
                        continue
                    rgb = array(kind, 21, 18, 3)
                    for planar in ("contig", "separate"):
                        data = rgb if planar == "contig" else np.moveaxis(rgb, 2, 0)
                        out.write(data, metadata=None, compression=compression, predictor=predictor, planarconfig=planar, photometric="minisblack", contiguous=False, **options)
    with tifffile.TiffWriter("big.tif", bigtiff=True, byteorder=">") as out:
        out.write(array("float64", 21, 18), metadata=None, tile=(16, 16), compression="deflate", predictor=True)
    with tifffile.TiffWriter("geo.tif") as out:
        tags = [(33550, "d", 3, (0.5, 0.25, 0.0), True), (33922, "d", 6, (0, 0, 0, 7.5, 50.25, 0), True),
                (34735, "H", 8, (1, 1, 0, 1, 1024, 0, 1, 2), True), (34737, "s", 0, "WGS 84|", True), (42113, "s", 0, "-99", True)]
        out.write(array("int16", 40, 36), metadata=None, tile=(16, 16), extratags=tags)
        out.write(array("int16", 20, 18), metadata=None, tile=(16, 16), subfiletype=1)
        out.write(array("int16", 10, 9), metadata=None, tile=(16, 16), subfiletype=1)
    with tifffile.TiffWriter("one.tif") as out:
        out.write(array("uint16", 30, 7, 2), metadata=None, photometric="minisblack", planarconfig="contig")
    with tifffile.TiffWriter("refused.tif") as out:
        out.write(array("bool", 5, 9), metadata=None)
        out.write(array("float32", 5, 9).astype("c8"), metadata=None)
        out.write(array("uint8", 16, 16, 3), metadata=None, compression="jpeg2000", photometric="rgb")
    with tifffile.TiffWriter("jpeg.tif") as out:
        flat = np.full((48, 48, 3), (200, 100, 50), "u1")
        out.write(flat, metadata=None, tile=(16, 16), compression="jpeg", photometric="rgb")  # stored as luminance and colour differences
        out.write(np.full((48, 48), 77, "u1"), metadata=None, rowsperstrip=16, compression="jpeg")
        out.write(flat, metadata=None, tile=(16, 16), compression="jpeg", photometric="rgb", compressionargs={"outcolorspace": "rgb"})
    with tifffile.TiffWriter("large.tif") as out:
        out.write(array("float32", 90, 200), metadata=None, rowsperstrip=10)
        out.write(array("float32", 96, 192), metadata=None, tile=(16, 64))
    long = (np.arange(200 * 200, dtype=np.uint32) * 2654435761 >> 24).astype("u1").reshape(200, 200)
    tifffile.imwrite("lzw-long.tif", long, metadata=None, compression="lzw", rowsperstrip=200)
    from PIL import Image
    Image.fromarray(flat).save("jpeg-tables.tif", compression="jpeg")  # libtiff keeps the tables apart
    Image.fromarray(array("uint8", 12, 10)).save("grey.png")
    Image.fromarray(array("uint8", 12, 10, 2), "LA").save("grey-alpha.png")
    Image.fromarray(array("uint8", 12, 10, 3)).save("rgb.png")
    Image.fromarray(array("uint8", 12, 10, 4)).save("rgba.png")
    Image.fromarray(array("uint16", 12, 10)).save("grey16.png")
    palette = Image.fromarray((np.arange(120) % 5).astype("u1").reshape(12, 10), "P")
    palette.putpalette([value for i in range(5) for value in (i, 10 * i, 50 * i)])
    palette.save("palette.png")
    Image.fromarray(np.full((16, 24, 3), (200, 100, 50), "u1")).save("flat.jpg", quality=95)
    Image.fromarray(np.full((16, 24), 77, "u1")).save("grey.jpg", quality=95)
    Image.fromarray(np.zeros((16, 24, 4), "u1"), "CMYK").save("cmyk.jpg")
    os.makedirs("folder", exist_ok=True)
    for i in range(4):
        Image.fromarray(((array("uint8", 12, 10, 3).astype("i4") + i) % 256).astype("u1")).save("folder/%d.png" % i)
    os.makedirs("unequal", exist_ok=True)
    Image.fromarray(array("uint8", 12, 10, 3)).save("unequal/a.png")
    Image.fromarray(array("uint8", 12, 11, 3)).save("unequal/b.png")


FOLDERS = {"safetensors": safetensors, "netcdf": netcdf, "hdf5": hdf5, "pictures": pictures}

if __name__ == "__main__":
    for name in sys.argv[1:] or FOLDERS:
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
        FOLDERS[name]()
