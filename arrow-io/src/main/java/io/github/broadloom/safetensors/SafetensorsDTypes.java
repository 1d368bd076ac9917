package io.github.broadloom.safetensors;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What safetensors calls the dtypes: {@code F32}, {@code BF16}, {@code I8}. */
final class SafetensorsDTypes {
    private SafetensorsDTypes() {}

    static String name(DType dtype) {
        if (dtype == DType.BOOL) {
            return "BOOL";
        }
        String letters = dtype == DType.BFLOAT16 ? "BF" : dtype.isFloatingPoint() ? "F" : dtype.isSigned() ? "I" : "U";
        return letters + dtype.bytes() * Byte.SIZE;
    }

    static DType dtype(String name, String array) throws TensorFormatException {
        for (DType dtype : DType.values()) {
            if (name(dtype).equals(name)) {
                return dtype;
            }
        }
        String known = Arrays.stream(DType.values())
                .map(SafetensorsDTypes::name)
                .sorted()
                .collect(Collectors.joining(", "));
        throw TensorFormatException.cannotRead(
                array,
                String.format(
                        Locale.ROOT,
                        "its dtype '%s' is not supported; %s are",
                        TensorFormatException.quoted(name),
                        known));
    }
}
