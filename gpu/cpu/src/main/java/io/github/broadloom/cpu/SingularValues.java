package io.github.broadloom.cpu;

import java.util.Arrays;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/** Singular values of one matrix, which Commons Math decomposes. */
final class SingularValues {
    private SingularValues() {}

    /**
     * Their sum; NaN where a value is infinite, and 0 of a matrix without values.
     *
     * @param values row by row
     * @throws IllegalArgumentException with PyTorch's text, where a value is NaN
     */
    static double sum(double[] values, int columns) {
        if (Arrays.stream(values).anyMatch(Double::isNaN)) {
            throw new IllegalArgumentException("linalg.svd: The algorithm failed to converge because the input matrix"
                    + " contained non-finite values.");
        }
        double greatest = Arrays.stream(values).map(Math::abs).max().orElse(0);
        if (greatest == 0 || Double.isInfinite(greatest)) {
            return greatest == 0 ? 0 : Double.NaN;
        }
        int exponent = Math.getExponent(greatest); // squares neither overflow nor vanish
        double[][] rows = new double[values.length / columns][columns];
        for (int i = 0; i < values.length; i++) {
            rows[i / columns][i % columns] = Math.scalb(values[i], -exponent);
        }
        SingularValueDecomposition decomposed = new SingularValueDecomposition(new Array2DRowRealMatrix(rows, false));
        return Math.scalb(Arrays.stream(decomposed.getSingularValues()).sum(), exponent);
    }
}
