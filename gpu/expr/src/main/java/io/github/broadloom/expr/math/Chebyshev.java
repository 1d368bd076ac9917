package io.github.broadloom.expr.math;

/** Sums of Chebyshev's polynomials, by Clenshaw's recurrence, which loses no digits to cancellation. */
final class Chebyshev {
    private Chebyshev() {}

    /** c₀ + c₁ T₁(u) + c₂ T₂(u) + …, for u from -1 to 1. */
    static double sum(double[] coefficients, double u) {
        double next = 0;
        double afterNext = 0;
        for (int n = coefficients.length - 1; n > 0; n--) {
            double current = coefficients[n] + (2 * u * next - afterNext);
            afterNext = next;
            next = current;
        }
        return coefficients[0] + (u * next - afterNext);
    }
}
