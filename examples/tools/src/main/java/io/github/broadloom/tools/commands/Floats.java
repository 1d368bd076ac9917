package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;

/** The floating dtypes in which arrays of any dtype are worked on. */
final class Floats {
    private Floats() {}

    /** The dtype itself where it is a floating one; else float32 where that holds every value, or float64. */
    static DType of(DType dtype) {
        if (dtype.isFloatingPoint()) {
            return dtype;
        }
        return dtype.bytes() <= 2 ? DType.FLOAT32 : DType.FLOAT64;
    }
}
