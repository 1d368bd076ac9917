package io.github.broadloom.nearest;

/** How far two vectors are from each other, or how alike. What is nearest has the least {@linkplain #rank rank}. */
public enum VectorMetric {
    /** {@code sqrt(sum((a - b)²))}. */
    EUCLIDEAN {
        @Override
        int extra() {
            return 1;
        }

        @Override
        void row(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) (-2 * values[i]);
            }
            cell[values.length] = 1;
        }

        @Override
        void column(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) values[i];
            }
            cell[values.length] = (float) (norm * norm);
        }

        @Override
        double magnitude(double rowNorm, double columnNorm) {
            return (rowNorm + columnNorm) * (rowNorm + columnNorm);
        }

        @Override
        public double rank(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                double difference = a[i] - b[i];
                sum += difference * difference;
            }
            return Math.sqrt(sum);
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
        double magnitude(double rowNorm, double columnNorm) {
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
        void column(double[] values, double norm, float[] cell) {
            for (int i = 0; i < values.length; i++) {
                cell[i] = (float) values[i];
            }
        }

        @Override
        double magnitude(double rowNorm, double columnNorm) {
            return rowNorm * columnNorm;
        }

        @Override
        public double rank(double[] a, double[] b) {
            return -dot(a, b);
        }
    };

    /** Half of the last place of a float, relatively: the most that one operation rounds. */
    private static final double ROUNDING = 0x1p-24;

    /** How many numbers a cell has beside those of the vector. */
    int extra() {
        return 0;
    }

    /** Writes what stands for a vector among the rows. */
    abstract void row(double[] values, double norm, float[] cell);

    /** Writes what stands for a vector among the columns: the product of both is the score. */
    abstract void column(double[] values, double norm, float[] cell);

    /** What no sum of products of two such vectors exceeds. */
    abstract double magnitude(double rowNorm, double columnNorm);

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
        return roundings * magnitude(rowNorm, columnNorm) + dimensions * 0x1p-120;
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
