package io.github.broadloom.cpu.code;

import java.util.Arrays;

/** Numbers as whole tiles, for the calls of rendered kernels. */
public final class Tiles {

    private Tiles() {}

    public static byte[] repeated(boolean value) {
        byte[] tile = new byte[TileKernel.CAPACITY];
        Arrays.fill(tile, (byte) (value ? 1 : 0));
        return tile;
    }

    public static int[] repeated(int value) {
        int[] tile = new int[TileKernel.CAPACITY];
        Arrays.fill(tile, value);
        return tile;
    }

    public static long[] repeated(long value) {
        long[] tile = new long[TileKernel.CAPACITY];
        Arrays.fill(tile, value);
        return tile;
    }

    public static float[] repeated(float value) {
        float[] tile = new float[TileKernel.CAPACITY];
        Arrays.fill(tile, value);
        return tile;
    }

    public static double[] repeated(double value) {
        double[] tile = new double[TileKernel.CAPACITY];
        Arrays.fill(tile, value);
        return tile;
    }
}
