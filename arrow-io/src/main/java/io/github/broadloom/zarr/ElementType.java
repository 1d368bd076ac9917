package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyDescr;
import io.github.broadloom.io.TensorFormatException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the elements of an array are.
 *
 * @param dtype of the bits
 * @param unsigned whether those have no sign, and no dtype is so
 */
record ElementType(DType dtype, boolean unsigned, boolean bigEndian) {
    private static final Map<String, DType> UNSIGNED = Map.of("uint16", DType.INT16, "uint32", DType.INT32);

    /** The {@code data_type} of version 3, which says nothing of the order of bytes. */
    static ElementType ofVersion3(Document json) throws TensorFormatException {
        JsonNode type = json.node().get("data_type");
        String name = type == null ? "" : type.asText("");
        for (DType dtype : DType.values()) {
            if (name.equals(dtype.torchName())) {
                return new ElementType(dtype, false, false);
            }
        }
        DType bits = UNSIGNED.get(name);
        if (bits != null) {
            return new ElementType(bits, true, false);
        }
        throw json.damaged("its data_type " + Document.quoted(type) + " is not supported; "
                + Arrays.stream(DType.values()).map(DType::torchName).collect(Collectors.joining(", "))
                + ", uint16 and uint32 are");
    }

    /** The {@code dtype} of version 2, as NumPy writes it. */
    static ElementType ofVersion2(Document json) throws TensorFormatException {
        JsonNode type = json.node().get("dtype");
        String text = type == null || !type.isTextual() ? "" : type.textValue();
        if (text.equals(DType.BFLOAT16.torchName())) { // as TensorStore has it
            return new ElementType(DType.BFLOAT16, false, false);
        }
        boolean unsigned = text.endsWith("u2") || text.endsWith("u4");
        Object descr = type == null || type.isNull() ? null : type.isArray() ? List.of() : type.asText();
        NpyDescr read = NpyDescr.of(unsigned ? text.replace('u', 'i') : descr, json.name());
        boolean bigEndian = read.order() == ByteOrder.BIG_ENDIAN && read.dtype().bytes() > 1;
        return new ElementType(read.dtype(), unsigned, bigEndian);
    }
}
