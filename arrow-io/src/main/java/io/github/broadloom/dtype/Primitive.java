package io.github.broadloom.dtype;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Java's primitives in which elements lie in memory and in arrays: there are no others, whatever dtypes there are. */
public enum Primitive {
    BYTE("byte", Byte.BYTES, byte[]::new),
    SHORT("short", Short.BYTES, short[]::new),
    INT("int", Integer.BYTES, int[]::new),
    LONG("long", Long.BYTES, long[]::new),
    FLOAT("float", Float.BYTES, float[]::new),
    DOUBLE("double", Double.BYTES, double[]::new);

    private final String javaName;
    private final int bytes;

    @SuppressWarnings("ImmutableEnumChecker") // a constructor of arrays
    private final IntFunction<Object> allocate;

    Primitive(String javaName, int bytes, IntFunction<Object> allocate) {
        this.javaName = javaName;
        this.bytes = bytes;
        this.allocate = allocate;
    }

    /**
     * What an array is of.
     *
     * @throws IllegalArgumentException where it is none of these
     */
    public static Primitive of(Object array) {
        @Nullable Class<?> element = array.getClass().getComponentType();
        for (Primitive primitive : values()) {
            if (element != null && element.getName().equals(primitive.javaName)) {
                return primitive;
            }
        }
        throw new IllegalArgumentException(
                "Not an array of numbers: " + array.getClass().getSimpleName());
    }

    public String javaName() {
        return javaName;
    }

    public int bytes() {
        return bytes;
    }

    /** An array of that many zeros, for example a {@code short[]}. */
    public Object newArray(int length) {
        return allocate.apply(length);
    }
}
