package io.github.broadloom.tools.commands;

import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Random;

/** Arrays to show an example with, where the user brings none: the same ones for the same seed. */
final class Demo {
    private static final int HEAPS = 40;

    private Demo() {}

    /**
     * Points around the unit cube, most of them in heaps, whose places and sizes depend on the seed alone.
     *
     * @param set which of several sets of points around the same heaps
     * @return float32 [rows, columns]
     */
    static Tensor points(int rows, int columns, long seed, int set) {
        Random places = new Random(seed);
        double[][] heaps = new double[HEAPS][columns];
        double[] sizes = new double[HEAPS];
        for (int heap = 0; heap < HEAPS; heap++) {
            sizes[heap] = 0.015 + 0.085 * places.nextDouble();
            for (int column = 0; column < columns; column++) {
                heaps[heap][column] = places.nextDouble();
            }
        }
        Random random = new Random(31 * seed + set);
        float[] values = new float[Math.multiplyExact(rows, columns)];
        for (int row = 0; row < rows; row++) {
            int heap = random.nextInt(HEAPS);
            for (int column = 0; column < columns; column++) {
                values[row * columns + column] = (float) (heaps[heap][column] + sizes[heap] * random.nextGaussian());
            }
        }
        return Tensors.copyOf(values, rows, columns);
    }

    /**
     * Rows of bells, a third of which are copies of one before them, with a little noise.
     *
     * @return float32 [rows, columns]
     */
    static Tensor copies(int rows, int columns, long seed) {
        Random random = new Random(seed);
        float[] values = new float[Math.multiplyExact(rows, columns)];
        for (int row = 0; row < rows; row++) {
            boolean isCopy = row > 0 && random.nextInt(3) == 0;
            int of = isCopy ? random.nextInt(row) : 0;
            for (int column = 0; column < columns; column++) {
                double value = isCopy ? values[of * columns + column] : 0;
                values[row * columns + column] = (float) (value + (isCopy ? 0.001 : 1) * random.nextGaussian());
            }
        }
        return Tensors.copyOf(values, rows, columns);
    }

    /**
     * A table whose features differ in place, spread and form, as measured ones do: in turn bells, tails to the right,
     * uniform values, counts, two values, and at last, where there are more than five, one constant.
     *
     * @return float32 [rows, columns]
     */
    static Tensor table(int rows, int columns, long seed) {
        Random random = new Random(seed);
        double[] places = new double[columns];
        double[] spreads = new double[columns];
        for (int column = 0; column < columns; column++) {
            spreads[column] = Math.exp(random.nextGaussian());
            places[column] = 3 * spreads[column] * random.nextGaussian();
        }
        float[] values = new float[Math.multiplyExact(rows, columns)];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                double form = column == 5 ? 0 : form(column % 5, random);
                values[row * columns + column] = (float) (places[column] + spreads[column] * form);
            }
        }
        return Tensors.copyOf(values, rows, columns);
    }

    private static double form(int kind, Random random) {
        return switch (kind) {
            case 0 -> random.nextGaussian();
            case 1 -> Math.exp(0.35 * random.nextGaussian());
            case 2 -> 4 * random.nextDouble() - 2;
            case 3 -> random.nextInt(7);
            default -> random.nextDouble() < 0.2 ? 1 : 0;
        };
    }
}
