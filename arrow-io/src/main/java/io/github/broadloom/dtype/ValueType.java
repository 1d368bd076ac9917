package io.github.broadloom.dtype;

import io.github.broadloom.dtype.DType.Kind;

/** The types in which kernels compute values, whatever dtypes there are: narrow elements are widened when they are read. */
public enum ValueType {
    BOOL(Kind.BOOL, "boolean", "bool", Primitive.BYTE),
    INT(Kind.INTEGER, "int", "int", Primitive.INT),
    LONG(Kind.INTEGER, "long", "long long", Primitive.LONG),
    FLOAT(Kind.FLOATING, "float", "float", Primitive.FLOAT),
    DOUBLE(Kind.FLOATING, "double", "double", Primitive.DOUBLE);

    private final Kind kind;
    private final String javaName;
    private final String cudaName;
    private final Primitive element;

    ValueType(Kind kind, String javaName, String cudaName, Primitive element) {
        this.kind = kind;
        this.javaName = javaName;
        this.cudaName = cudaName;
        this.element = element;
    }

    Kind kind() {
        return kind;
    }

    /** Java's type of a value. */
    public String javaName() {
        return javaName;
    }

    /** CUDA C's type of a value. */
    public String cudaName() {
        return cudaName;
    }

    /** The primitive of an array of values, where a bool is a byte. */
    public Primitive element() {
        return element;
    }
}
