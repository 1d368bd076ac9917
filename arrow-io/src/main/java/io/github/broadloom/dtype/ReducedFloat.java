package io.github.broadloom.dtype;

/**
 * A floating dtype of two bytes that is computed in float32, as PyTorch's "reduced floating types" are. Each has a class of static
 * methods of these names, {@link #methods()}, which kernels call.
 */
public interface ReducedFloat {
    /** The value of these bits; exact. */
    float toFloat(short bits);

    /** The bits of the nearest value, ties to even. */
    short fromFloat(float value);

    /** The nearest value, as a float. */
    default float round(float value) {
        return toFloat(fromFloat(value));
    }

    /** By way of float, and so rounded twice, because PyTorch makes such a value from a float alone. */
    default short fromDouble(double value) {
        return fromFloat((float) value);
    }

    /** The class that has the conversions as static methods. */
    Class<?> methods();

    /** The name that functions of kernels in CUDA C have for it: {@code half}. */
    String cudaName();
}
