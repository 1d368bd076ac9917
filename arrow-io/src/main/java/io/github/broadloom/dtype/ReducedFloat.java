package io.github.broadloom.dtype;

/**
 * A floating dtype of two bytes that is computed in float32, as PyTorch's "reduced floating types" are.
 *
 * @param methods the class that has the conversions as static methods {@code toFloat}, {@code fromFloat} and {@code round}, which kernels call
 * @param cudaName the name that functions of kernels in CUDA C have for it: {@code half}
 */
public record ReducedFloat(Class<?> methods, String cudaName, Widening widening, Rounding rounding) {
    @FunctionalInterface
    public interface Widening {
        float toFloat(short bits);
    }

    @FunctionalInterface
    public interface Rounding {
        short fromFloat(float value);
    }

    /** The value of these bits; exact. */
    public float toFloat(short bits) {
        return widening.toFloat(bits);
    }

    /** The bits of the nearest value, ties to even. */
    public short fromFloat(float value) {
        return rounding.fromFloat(value);
    }

    /** The nearest value, as a float. */
    public float round(float value) {
        return toFloat(fromFloat(value));
    }

    /** By way of float, and so rounded twice, because PyTorch makes such a value from a float alone. */
    public short fromDouble(double value) {
        return fromFloat((float) value);
    }
}
