package io.github.broadloom.tools.commands;

import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.picture.Palette;
import java.util.Locale;

/**
 * Of the finite values of tensors the least and the greatest, which a picture's first and last colours stand for.
 *
 * @param least more than {@code most} where there is none
 */
record FiniteRange(double least, double most) {
    static final FiniteRange NONE = new FiniteRange(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    /**
     * Those of more values, too.
     *
     * @param values float64, of any shape
     */
    FiniteRange with(Tensor values) {
        double lower = least;
        double upper = most;
        for (double value : values.contiguous().toDoubleArray()) {
            if (Double.isFinite(value)) {
                lower = Math.min(lower, value);
                upper = Math.max(upper, value);
            }
        }
        return new FiniteRange(lower, upper);
    }

    /** So that 0 is the colour in the middle. */
    FiniteRange aroundZero() {
        double end = Math.max(Math.abs(least), Math.abs(most));
        return new FiniteRange(-end, end);
    }

    double place(double value) {
        return Double.isNaN(value) ? value : Palette.place(most > least ? (value - least) / (most - least) : 0.5);
    }

    boolean isEmpty() {
        return least > most;
    }

    @Override
    public String toString() {
        return isEmpty() ? "no finite value" : String.format(Locale.ROOT, "%.4g to %.4g", least, most);
    }
}
