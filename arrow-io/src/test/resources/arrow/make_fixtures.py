"""Writes the Arrow files of this folder: python3 make_fixtures.py (pyarrow 25.0.1)."""
import numpy as np
import pyarrow as pa

TYPES = {
    "float32": pa.float32(),
    "float64": pa.float64(),
    "float16": pa.float16(),
    "uint8": pa.uint8(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
}


def tensors(values, value_type, shape, **metadata):
    """Rows of that stored shape, one after the other in values."""
    tensor_type = pa.fixed_shape_tensor(value_type, shape, **metadata)
    size = int(np.prod(shape, dtype=int))
    storage = pa.FixedSizeListArray.from_arrays(pa.array(values, value_type), size)
    return pa.ExtensionArray.from_storage(tensor_type, storage)


def write(name, batches, opener=pa.ipc.new_file, **options):
    with opener(name, batches[0].schema, **options) as writer:
        for batch in batches:
            writer.write_batch(batch)


def batch(**columns):
    return pa.record_batch(list(columns.values()), names=list(columns))


for name, value_type in TYPES.items():
    # Rows of shape [2, 3]: three in the first batch, one in the second; the values are 0, 1, 2, … or i % 3 == 0.
    values = [i % 3 == 0 for i in range(24)] if name == "bool" else np.arange(24).astype(name)
    parts = [batch(x=tensors(values[:18], value_type, [2, 3])), batch(x=tensors(values[18:], value_type, [2, 3]))]
    write(name + ".arrow", parts)
    write(name + ".arrows", parts, pa.ipc.new_stream)

numbers = np.arange(24, dtype=np.int32)
permuted = tensors(numbers, pa.int32(), [2, 3, 4], permutation=[2, 0, 1], dim_names=["c", "h", "w"])
write("permuted.arrow", [batch(x=permuted)])
write("permuted.arrows", [batch(x=permuted)], pa.ipc.new_stream)
transposed = tensors(numbers, pa.int32(), [2, 3, 4], permutation=[2, 1, 0])
write("transposed.arrow", [batch(x=transposed)])
expected = numbers.reshape(1, 2, 3, 4).transpose(0, 3, 2, 1)
assert np.array_equal(transposed.to_numpy_ndarray(), expected)

words = pa.array(["a", "bb", "ccc"])
lists = pa.array([[1], [], [2, 3]])
coded = pa.array(["x", "y", "x"]).dictionary_encode()
among = batch(words=words, lists=lists, coded=coded, x=tensors(numbers[:6], pa.int32(), [2]), more=words)
write("among-others.arrow", [among])
write("among-others.arrows", [among], pa.ipc.new_stream)

sliced = batch(x=tensors(numbers, pa.int32(), [2])).slice(5, 3)
write("sliced.arrow", [sliced])
write("plain.arrow", [batch(x=pa.array([1.5, 2.5]))])
write("lists.arrow", [batch(x=pa.array([[[1, 2], [3, 4]]], pa.list_(pa.list_(pa.int16(), 2), 2)))])
write("empty.arrow", [batch(x=tensors(numbers[:0], pa.int32(), [2, 3]))])
write("zero-size.arrow", [batch(x=pa.ExtensionArray.from_storage(
    pa.fixed_shape_tensor(pa.float32(), [2, 0]), pa.array([[], [], []], pa.list_(pa.float32(), 0))))])

# What is refused.
storage = pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2))
write("null-row.arrow", [batch(x=pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int32(), [2]), storage))])
write("null-element.arrow", [batch(x=pa.array([1, None, 3]))])
write("text.arrow", [batch(x=words)])
write("two.arrow", [batch(x=tensors(numbers, pa.int32(), [2]), y=tensors(numbers, pa.int32(), [2]))])
write("uint16.arrow", [batch(x=pa.array([1], pa.uint16()))])
write("compressed.arrow", [batch(x=tensors(np.zeros(10000, np.int32), pa.int32(), [2]))],
      options=pa.ipc.IpcWriteOptions(compression="lz4"))
