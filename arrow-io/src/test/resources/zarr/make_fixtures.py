"""Makes the stores of the archive beside it: `python make_fixtures.py tensorstore FOLDER`, then `python make_fixtures.py zarr FOLDER` with zarr-python 2 and
numcodecs, then `python make_fixtures.py zip FOLDER`.

Every array is [7, 5, 6] in chunks of [3, 2, 4] and has, at (i, j, k) with n = 30 i + 6 j + k, the element that `values` computes; i of 6 is only the
fill value, so that a chunk is missing in some of them.
"""
import os, shutil, sys, zipfile
import numpy as np

HERE = sys.argv[2]
SHAPE, CHUNK = [7, 5, 6], [3, 2, 4]
DTYPES = ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]


def values(dtype, shape=SHAPE):
    n = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    if dtype == "bool":
        a = n % 3 == 1
    elif dtype == "uint8":
        a = (n % 256).astype("uint8")
    elif dtype.startswith("int"):
        a = (n % 200 - 100).astype(dtype)
    else:
        a = ((n % 200 - 100) / 4).astype(dtype)
    return a


def with_fill(a):
    a = a.copy()
    a[6] = 0
    return a


def fresh(name):
    path = os.path.join(HERE, name)
    shutil.rmtree(path, ignore_errors=True)
    return path


def tensorstore():
    import tensorstore as ts

    def write(name, driver, metadata, a, keep=True):
        spec = {"driver": driver, "kvstore": {"driver": "file", "path": fresh(name)}, "metadata": metadata}
        store = ts.open(spec, create=True, dtype=ts.dtype(a.dtype.name)).result()
        store.write(a).result()

    def v3(dtype, codecs, shape=SHAPE, chunk=CHUNK, **other):
        return {
            "shape": shape,
            "data_type": dtype,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
            "codecs": codecs,
            "fill_value": False if dtype == "bool" else 0,
            **other,
        }

    little = {"name": "bytes", "configuration": {"endian": "little"}}
    big = {"name": "bytes", "configuration": {"endian": "big"}}
    zstd = {"name": "zstd", "configuration": {"level": 3}}
    gzip = {"name": "gzip", "configuration": {"level": 5}}
    crc = {"name": "crc32c"}

    def blosc(cname, shuffle, size):
        return {"name": "blosc", "configuration": {"cname": cname, "clevel": 5, "shuffle": shuffle, "typesize": size, "blocksize": 0}}

    def shards(codecs, location, chunk=[3, 1, 2]):
        index = [little, crc]
        return {"name": "sharding_indexed", "configuration": {"chunk_shape": chunk, "codecs": codecs, "index_codecs": index, "index_location": location}}

    for dtype in DTYPES + ["bfloat16"]:
        a = values(dtype) if dtype != "bfloat16" else values("float32").astype(ts.bfloat16.numpy_dtype)
        write(f"v3-{dtype}.zarr", "zarr3", v3(dtype, [little, zstd]), with_fill(a))
        if dtype not in ("uint8", "int8", "bool"):
            write(f"v3-{dtype}-big.zarr", "zarr3", v3(dtype, [big]), a)
        if dtype != "bfloat16":
            code = a.dtype.str
            for order, sep in (("C", "."), ("F", "/")):
                meta = {"shape": SHAPE, "chunks": CHUNK, "dtype": code.replace("<", ">") if order == "F" else code, "order": order,
                        "compressor": {"id": "zlib", "level": 1} if order == "F" else None, "filters": None, "fill_value": None,
                        "dimension_separator": sep}
                write(f"v2-{dtype}-{order}.zarr", "zarr", meta, a)
    a = values("int32")
    write("v3-transposed.zarr", "zarr3", v3("int32", [{"name": "transpose", "configuration": {"order": [2, 0, 1]}}, little, gzip, crc],
                                          dimension_names=["t", None, "x"], attributes={"units": "K", "scale": [1, 2.5], "deep": {"a": 1}},
                                          chunk_key_encoding={"name": "default", "configuration": {"separator": "."}}), a)
    write("v3-v2-names.zarr", "zarr3", v3("int32", [little, crc], chunk_key_encoding={"name": "v2"}), a)
    write("v3-sharded-end.zarr", "zarr3", v3("int32", [shards([little, zstd], "end")], chunk=[6, 2, 4]), with_fill(a))
    write("v3-sharded-start.zarr", "zarr3", v3("int32", [shards([{"name": "transpose", "configuration": {"order": [1, 2, 0]}}, big], "start")], chunk=[6, 2, 4]), with_fill(a))
    write("v3-sharded-twice.zarr", "zarr3", v3("int32", [{"name": "transpose", "configuration": {"order": [2, 1, 0]}},
          shards([shards([little, gzip], "start", [2, 1, 3])], "end", [4, 2, 3])], chunk=[6, 2, 4]), with_fill(a))
    large = values("float64", [64, 40, 30])
    for cname in ("lz4", "lz4hc", "zstd", "zlib", "blosclz"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            write(f"v3-blosc-{cname}-{shuffle}.zarr", "zarr3", v3("float64", [little, blosc(cname, shuffle, 8)], [64, 40, 30], [63, 39, 29]), large)
    for dtype in ("uint16", "uint32"):
        largest = np.iinfo(dtype).max
        write(f"v3-{dtype}.zarr", "zarr3", {**v3(dtype, [big, zstd], [5], [2]), "fill_value": int(largest)}, np.array([0, 1, largest - 1, largest // 2 + 1, largest], dtype))
    write("v3-scalar.zarr", "zarr3", v3("float32", [little, zstd], [], []), np.array(2.5, "float32"))
    write("v3-missing.zarr", "zarr3", {**v3("float32", [little, zstd]), "fill_value": "0x7fc01234"}, values("float32")[:, :, :])
    shutil.rmtree(os.path.join(HERE, "v3-missing.zarr", "c"))


def zarr():
    import numcodecs
    import zarr

    root = zarr.open_group(fresh("v2-group.zarr"), mode="w")
    root.attrs["title"] = "a group"
    codecs = {
        "zstd": numcodecs.Zstd(3),
        "lz4": numcodecs.LZ4(),
        "zlib": numcodecs.Zlib(1),
        "gzip": numcodecs.GZip(1),
        "blosc": numcodecs.Blosc("zstd", 5, numcodecs.Blosc.SHUFFLE),
        "none": None,
    }
    for name, codec in codecs.items():
        for dtype in ("<i4", ">f4", "|b1", "<i2", "<f8"):
            kind = np.dtype(dtype).newbyteorder("=").name
            array = root.create_dataset(f"{name}/{kind}", shape=SHAPE, chunks=CHUNK, dtype=dtype, compressor=codec, order="F" if kind == "int32" else "C",
                                        fill_value=0, write_empty_chunks=False)
            array[...] = with_fill(values(kind))
            array.attrs["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"]
            array.attrs["valid"] = float("nan")
    shuffled = root.create_dataset("shuffled", shape=SHAPE, chunks=CHUNK, dtype="<i4", compressor=numcodecs.Zlib(1), filters=[numcodecs.Shuffle(4)])
    shuffled[...] = values("int32")
    for name, dtype, fill in (("nan", "<f4", np.nan), ("infinity", "<f8", -np.inf), ("seven", "<i2", 7), ("true", "|b1", True)):
        root.create_dataset(f"fills/{name}", shape=[4], chunks=[2], dtype=dtype, fill_value=fill)
    for name, dtype in (("unsigned", "<u8"), ("complex", "<c8"), ("text", "<U4"), ("date", "<M8[s]"), ("bytes", "|S3")):
        root.create_dataset(f"others/{name}", shape=[4], chunks=[2], dtype=dtype)
    root.create_dataset("others/struct", shape=[4], chunks=[2], dtype=[("a", "<f4"), ("b", "<i2")])
    root.create_dataset("others/delta", shape=[4], chunks=[2], dtype="<i4", filters=[numcodecs.Delta(dtype="<i4")])
    for dtype in ("<u2", ">u4"):
        largest = np.iinfo(dtype).max
        array = root.create_dataset(f"unsigned/{np.dtype(dtype).name}", shape=[5], chunks=[2], dtype=dtype, fill_value=largest)
        array[:4] = [0, 1, largest - 1, largest // 2 + 1]
    shutil.copytree(os.path.join(HERE, "v2-group.zarr"), fresh("v2-consolidated.zarr"))
    zarr.consolidate_metadata(os.path.join(HERE, "v2-consolidated.zarr"))


def archive():
    with zipfile.ZipFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for folder, folders, files in sorted(os.walk(HERE)):
            for name in sorted(files):
                path = os.path.join(folder, name)
                info = zipfile.ZipInfo(os.path.relpath(path, HERE), (2026, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                with open(path, "rb") as file:
                    out.writestr(info, file.read(), compresslevel=9)


if __name__ == "__main__":
    {"tensorstore": tensorstore, "zarr": zarr, "zip": archive}[sys.argv[1]]()
