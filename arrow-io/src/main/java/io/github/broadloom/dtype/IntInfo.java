package io.github.broadloom.dtype;

/**
 * The numeric limits of an integer dtype, as {@code torch.iinfo}.
 *
 * @param bits the width of one element
 */
public record IntInfo(DType dtype, int bits, long max, long min) {

    /**
     * The limits of that dtype.
     *
     * @throws IllegalArgumentException unless it is an integer one
     */
    public static IntInfo of(DType dtype) {
        if (dtype.kind() != DType.Kind.INTEGER) {
            String text = dtype.isFloatingPoint()
                    ? "torch.iinfo() requires an integer input type. Use torch.finfo to handle '" + dtype + "'"
                    : "torch.bool is not supported by torch.iinfo";
            throw new IllegalArgumentException(text);
        }
        int bits = dtype.bytes() * Byte.SIZE;
        if (!dtype.isSigned()) {
            return new IntInfo(dtype, bits, (1L << bits) - 1, 0);
        }
        long max = -1L >>> (Long.SIZE - bits + 1);
        return new IntInfo(dtype, bits, max, -max - 1);
    }

    /** As PyTorch prints it, limits of more than six digits rounded: {@code iinfo(min=-128, max=127, dtype=int8)}. */
    @Override
    public String toString() {
        return "iinfo(min=" + SixDigits.of(min) + ", max=" + SixDigits.of(max) + ", dtype=" + dtype + ")";
    }
}
