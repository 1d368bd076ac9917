package io.github.broadloom.testkit.random;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Nearest rows found by loops over all pairs, in doubles, and rows that are hard to tell apart. */
public final class NearestByHand {
    private NearestByHand() {}

    /** The distance of two points, by the name of a metric. */
    public static double distance(String metric, double[] p, double[] q) {
        double sum = 0;
        double pp = 0;
        double qq = 0;
        for (int i = 0; i < p.length; i++) {
            double away = Math.abs(p[i] - q[i]);
            pp += p[i] * p[i];
            qq += q[i] * q[i];
            sum = switch (metric) {
                case "EUCLIDEAN", "SQEUCLIDEAN" -> sum + away * away;
                case "MANHATTAN" -> sum + away;
                case "CHEBYSHEV" -> Math.max(sum, away);
                default -> sum + p[i] * q[i];
            };
        }
        return switch (metric) {
            case "EUCLIDEAN" -> Math.sqrt(sum);
            case "COSINE" -> 1 - sum / (Math.sqrt(pp) * Math.sqrt(qq));
            case "INNER_PRODUCT" -> 0 - sum;
            default -> sum;
        };
    }

    /** The rows of {@code b} by their distance from a point: of equal ones the first comes first, and NaN last. */
    public static int[] order(String metric, double[] point, double[][] b) {
        double[] distances =
                Stream.of(b).mapToDouble(row -> distance(metric, point, row)).toArray();
        return IntStream.range(0, b.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer row) -> distances[row])) // a stable sort
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Points of few values, so that many are equally near; some far from the origin, some of zeros, some with NaN or infinity, some whose squares overflow floats. */
    public static double[][] points(int rows, int columns, long seed) {
        Random random = new Random(seed);
        double[][] points = new double[rows][columns];
        for (double[] point : points) {
            int kind = random.nextInt(24);
            for (int d = 0; d < columns; d++) {
                double value = random.nextInt(3) - 1;
                point[d] = kind < 8 ? value : kind < 14 ? 4096 + value / 4 : (float) random.nextGaussian();
            }
            switch (kind) {
                case 20 -> java.util.Arrays.fill(point, 0);
                case 21 -> point[random.nextInt(columns)] = Double.NaN;
                case 22 -> point[random.nextInt(columns)] = Double.NEGATIVE_INFINITY;
                case 23 -> point[random.nextInt(columns)] = (float) 1e30;
                default -> {}
            }
        }
        return points;
    }
}
