package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** Points in plain arrays, and which of them are near each other by plain loops. */
final class Points {
    private Points() {}

    /** The first of the rows of {@code b} that no other is nearer than. */
    static int nearest(double[] point, double[][] b) {
        int nearest = 0;
        for (int i = 1; i < b.length; i++) {
            if (distance(point, b[i]) < distance(point, b[nearest])) {
                nearest = i;
            }
        }
        return nearest;
    }

    static double distance(double[] p, double[] q) {
        double squares = 0;
        for (int i = 0; i < p.length; i++) {
            squares += (p[i] - q[i]) * (p[i] - q[i]);
        }
        return Math.sqrt(squares);
    }

    /** Numbers from 0 to 1. */
    static double[][] random(int rows, int columns, long seed) {
        Random random = new Random(seed);
        double[][] points = new double[rows][columns];
        for (double[] point : points) {
            for (int i = 0; i < columns; i++) {
                point[i] = random.nextDouble();
            }
        }
        return points;
    }

    /** The matrix of these rows. */
    static Tensor tensor(double[][] points) {
        double[] flat = Stream.of(points).flatMapToDouble(Arrays::stream).toArray();
        return Tensors.copyOf(flat, points.length, points[0].length);
    }

    /** The rows of a matrix. */
    static double[][] rows(Tensor points) {
        double[] flat = points.to(DType.FLOAT64).toDoubleArray();
        int columns = (int) points.shape().size(1);
        double[][] rows = new double[flat.length / columns][];
        Arrays.setAll(rows, row -> Arrays.copyOfRange(flat, row * columns, (row + 1) * columns));
        return rows;
    }
}
