package io.github.broadloom.nearest;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;

/** How far two vectors are from each other, or how alike. What is nearest has the least {@linkplain #rank rank}. */
public enum VectorMetric {
    /** {@code sqrt(sum((a - b)²))}. */
    EUCLIDEAN {
        @Override
        public double rank(double[] a, double[] b) {
            return Math.sqrt(SQEUCLIDEAN.rank(a, b));
        }
    },

    /** {@code sum((a - b)²)}. */
    SQEUCLIDEAN {
        @Override
        public double rank(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                double difference = a[i] - b[i];
                sum += difference * difference;
            }
            return sum;
        }
    },

    /** {@code sum(abs(a - b))}. */
    MANHATTAN {
        @Override
        double magnitude(int dimensions, double rowNorm, double columnNorm) {
            return Math.sqrt(dimensions) * (rowNorm + columnNorm);
        }

        @Override
        public double rank(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += Math.abs(a[i] - b[i]);
            }
            return sum;
        }
    },

    /** {@code amax(abs(a - b))}. */
    CHEBYSHEV {
        @Override
        double magnitude(int dimensions, double rowNorm, double columnNorm) {
            return rowNorm + columnNorm;
        }

        @Override
        public double rank(double[] a, double[] b) {
            double greatest = 0;
            for (int i = 0; i < a.length; i++) {
                greatest = Math.max(greatest, Math.abs(a[i] - b[i])); // NaN where one is
            }
            return greatest;
        }
    },

    /** One minus the cosine of the angle between them: NaN where a vector is zero. */
    COSINE {
        @Override
        void row(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) (-values[i] / norm);
            }
        }

        @Override
        void column(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) (values[i] / norm);
            }
        }

        @Override
        double magnitude(int dimensions, double rowNorm, double columnNorm) {
            return 1;
        }

        @Override
        public boolean isRegular(double norm) {
            return norm >= 0x1p-30 && norm <= 0x1p30;
        }

        @Override
        public double rank(double[] a, double[] b) {
            return 1 - dot(a, b) / (norm(a) * norm(b));
        }
    },

    /** The negated inner product, {@code -sum(a * b)}: the greatest products are the nearest. */
    INNER_PRODUCT {
        @Override
        void row(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) -values[i];
            }
        }

        @Override
        double magnitude(int dimensions, double rowNorm, double columnNorm) {
            return rowNorm * columnNorm;
        }

        @Override
        public double rank(double[] a, double[] b) {
            return 0 - dot(a, b); // and no -0.0
        }
    };

    /** Half of the last place of a float, relatively: the most that one operation rounds. */
    private static final double ROUNDING = 0x1p-24;

    /** Whether the distances stay the same where both vectors move alike. */
    boolean isOfDifferences() {
        return this != COSINE && this != INNER_PRODUCT;
    }

    /** Whether scores are matrix products; else one kernel has the formula. */
    public boolean isProduct() {
        return this != MANHATTAN && this != CHEBYSHEV;
    }

    private boolean isSquare() {
        return this == EUCLIDEAN || this == SQEUCLIDEAN;
    }

    /** How many numbers a cell has beside those of the vector. */
    int extra() {
        return isSquare() ? 1 : 0;
    }

    /** Writes what stands for a vector among the rows. */
    void row(double[] values, double norm, float[] cell) {
        double factor = isSquare() ? -2 : 1;
        for (int i = 0; i < values.length; i++) {
            cell[i] = (float) (factor * values[i]);
        }
        if (isSquare()) {
            cell[values.length] = 1;
        }
    }

    /** Writes what stands for a vector among the columns. */
    void column(double[] values, double norm, float[] cell) {
        for (int i = 0; i < values.length; i++) {
            cell[i] = (float) values[i];
        }
        if (isSquare()) {
            cell[values.length] = (float) (norm * norm);
        }
    }

    /**
     * The scores of all pairs, by the cells of both sides.
     *
     * @param rows {@code [rows, cell]}
     * @param columns {@code [columns, cell]}
     */
    Expr scores(Expr rows, Expr columns) {
        if (isProduct()) {
            return Products.matmul(rows, ViewOps.transpose(columns, 0, 1));
        }
        Expr differences =
                Expr.apply(Ops.ABS, Expr.apply(Ops.SUB, ViewOps.unsqueeze(rows, 1), ViewOps.unsqueeze(columns, 0)));
        return Expr.reduce(this == MANHATTAN ? Reduction.SUM : Reduction.AMAX, differences, KeepDim.DROP, 2);
    }

    /** What no sum of magnitudes of what the score of two such vectors is made of exceeds. */
    double magnitude(int dimensions, double rowNorm, double columnNorm) {
        return (rowNorm + columnNorm) * (rowNorm + columnNorm);
    }

    /** The rank by the direct formula, in float64. */
    public abstract double rank(double[] a, double[] b);

    /** Whether scores of vectors of this norm are numbers, as exact as {@link #slack} says. */
    public boolean isRegular(double norm) {
        return norm <= 0x1p50;
    }

    /**
     * How far the k-th least score may be from the score of what is among the k least by a formula that is computed in float32, in any order of its sums, or better. A sum of {@code n}
     * products that are rounded one by one is off by less than {@code (n + 2)} roundings of the sum of their magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); both
     * the score and the formula are, twice: of the one and of the other column.
     *
     * @param columnNorm the greatest of all columns
     */
    public double slack(int dimensions, double rowNorm, double columnNorm) {
        double roundings = 8.0 * (dimensions + 8) * ROUNDING;
        return roundings * magnitude(dimensions, rowNorm, columnNorm) + dimensions * 0x1p-120;
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** The Euclidean norm; NaN or infinite where an element is. */
    public static double norm(double[] values) {
        return Math.sqrt(dot(values, values));
    }
}
