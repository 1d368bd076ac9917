package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.Function;

/**
 * How the elements of one printed tensor are written: the notation and the common width follow from all of them, by
 * the rules of the formatter in PyTorch's {@code torch/_tensor_str.py}.
 */
final class ElementFormat {
    private static final int PRECISION = 4;
    private static final double LARGEST_RATIO = 1000.0;
    private static final double LARGEST_FIXED = 1.0e8;
    private static final double SMALLEST_FIXED = 1.0e-4;

    private final Function<Object, String> notation;
    private final int width;

    private ElementFormat(Function<Object, String> notation, int width) {
        this.notation = notation;
        this.width = width;
    }

    /** The format for {@code values}, the shown elements (Boolean, Long or Double) of a tensor of {@code dtype}. */
    static ElementFormat of(DType dtype, List<Object> values) {
        if (dtype.isFloatingPoint()) {
            double[] significant = values.stream()
                    .mapToDouble(value -> ((Number) value).doubleValue())
                    .filter(value -> value != 0 && Double.isFinite(value))
                    .toArray();
            return ofFloats(significant);
        }
        Function<Object, String> notation =
                value -> value instanceof Boolean flag ? (flag ? "True" : "False") : value.toString();
        int width = 1;
        for (Object value : values) {
            width = Math.max(width, notation.apply(value).length());
        }
        return new ElementFormat(notation, width);
    }

    /** Zeros, infinities and NaNs have no say in the notation, nor in the width. */
    private static ElementFormat ofFloats(double[] significant) {
        double min = Double.POSITIVE_INFINITY;
        double max = 0;
        boolean whole = true;
        for (double value : significant) {
            min = Math.min(min, Math.abs(value));
            max = Math.max(max, Math.abs(value));
            whole &= value == Math.rint(value);
        }
        boolean scientific =
                significant.length > 0 && (max / min > LARGEST_RATIO || max > LARGEST_FIXED || min < SMALLEST_FIXED);
        Function<Double, String> notation =
                scientific ? ElementFormat::scientific : whole ? ElementFormat::whole : ElementFormat::fixed;
        int width = 1;
        for (double value : significant) {
            width = Math.max(width, notation.apply(value).length());
        }
        return new ElementFormat(value -> notation.apply(((Number) value).doubleValue()), width);
    }

    /** The width that every element is padded to; longer ones overflow it. */
    int width() {
        return width;
    }

    /** {@code value} padded on the left to {@link #width()}. */
    String format(Object value) {
        String text = notation.apply(value);
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /** Python's {@code '%.0f'} and a point, which marks a floating dtype; infinities and NaN do without. */
    private static String whole(double value) {
        return Double.isFinite(value) ? decimals(value, 0) + "." : nonFinite(value);
    }

    private static String fixed(double value) {
        return Double.isFinite(value) ? decimals(value, PRECISION) : nonFinite(value);
    }

    /** Exact, as C's printf: the binary value rounded once, half to even, and the sign of a zero kept. */
    private static String decimals(double value, int digits) {
        String magnitude = new BigDecimal(Math.abs(value))
                .setScale(digits, RoundingMode.HALF_EVEN)
                .toPlainString();
        return sign(value) + magnitude;
    }

    private static String scientific(double value) {
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        if (value == 0) {
            return sign(value) + "0." + "0".repeat(PRECISION) + "e+00";
        }
        BigDecimal rounded =
                new BigDecimal(Math.abs(value)).round(new MathContext(PRECISION + 1, RoundingMode.HALF_EVEN));
        String digits = rounded.unscaledValue().toString();
        int exponent = digits.length() - 1 - rounded.scale();
        // A value with fewer digits than asked for, such as 2, was not padded by the rounding.
        digits = digits + "0".repeat(Math.max(0, PRECISION + 1 - digits.length()));
        return String.format(
                "%s%s.%se%s%02d",
                sign(value), digits.charAt(0), digits.substring(1), exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static String sign(double value) {
        return Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    }

    private static String nonFinite(double value) {
        return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
}
