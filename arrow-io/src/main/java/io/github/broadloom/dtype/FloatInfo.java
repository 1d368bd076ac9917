package io.github.broadloom.dtype;

/**
 * The numeric limits of a floating dtype, as {@code torch.finfo}.
 *
 * @param bits the width of one element
 * @param eps the gap between 1 and the next larger number
 * @param max the largest finite number
 * @param min the smallest finite number, {@code -max}
 * @param tiny the smallest positive normal number
 * @param resolution the approximate decimal resolution, 10 to the minus number of exact decimal digits
 */
public record FloatInfo(DType dtype, int bits, double eps, double max, double min, double tiny, double resolution) {

    /**
     * The limits of that dtype.
     *
     * @throws IllegalArgumentException unless it is a floating one
     */
    public static FloatInfo of(DType dtype) {
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException("torch.finfo() requires a floating point input type. Use torch.iinfo"
                    + " to handle '" + dtype + "'");
        }
        double eps = Math.scalb(1.0, 1 - dtype.significantBits());
        double max = (2 - eps) * Math.scalb(1.0, dtype.maxExponent());
        double tiny = Math.scalb(1.0, 1 - dtype.maxExponent());
        double resolution = Double.parseDouble("1e-" + (int) -Math.log10(eps));
        return new FloatInfo(dtype, dtype.bytes() * Byte.SIZE, eps, max, -max, tiny, resolution);
    }

    /** As PyTorch prints it: {@code finfo(resolution=1e-06, min=-3.40282e+38, …, dtype=float32)}. */
    @Override
    public String toString() {
        return "finfo(resolution=" + SixDigits.of(resolution) + ", min=" + SixDigits.of(min) + ", max="
                + SixDigits.of(max) + ", eps=" + SixDigits.of(eps) + ", smallest_normal=" + SixDigits.of(tiny)
                + ", tiny=" + SixDigits.of(tiny) + ", dtype=" + dtype + ")";
    }
}
