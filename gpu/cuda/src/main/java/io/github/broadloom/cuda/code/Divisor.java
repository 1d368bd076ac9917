package io.github.broadloom.cuda.code;

/**
 * A divisor as the GPU divides by it: {@code (umulhi(n, multiplier) + n) >> shift} is {@code n / divisor} for every {@code n} below
 * 2³¹. The method is that of Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (1994).
 *
 * @param divisor from 1 to 2³¹ - 1
 * @param multiplier the 32 bits behind the point of 2^shift / divisor, rounded up
 * @param shift the binary digits of {@code divisor - 1}
 */
record Divisor(int divisor, int multiplier, int shift) {
    static Divisor of(long divisor) {
        if (divisor < 1 || divisor > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Cannot divide by " + divisor + " on the GPU; the loops are cut below 2^31");
        }
        int shift = Long.SIZE - Long.numberOfLeadingZeros(divisor - 1);
        long multiplier = ((1L << Integer.SIZE) * ((1L << shift) - divisor)) / divisor + 1;
        return new Divisor((int) divisor, (int) multiplier, shift);
    }
}
