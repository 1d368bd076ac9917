package io.github.broadloom.dtype;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as C++ streams write them by default, and so PyTorch's limits: C's {@code %g}, six significant digits. */
public final class SixDigits {
    private static final int DIGITS = 6;

    private SixDigits() {}

    public static String of(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(DIGITS, RoundingMode.HALF_EVEN));
        if (rounded.signum() == 0) {
            return "0";
        }
        int exponent = rounded.precision() - rounded.scale() - 1;
        BigDecimal plain = rounded.stripTrailingZeros();
        if (exponent >= -4 && exponent < DIGITS) {
            return plain.toPlainString();
        }
        String mantissa = plain.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return String.format("%se%s%02d", mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
