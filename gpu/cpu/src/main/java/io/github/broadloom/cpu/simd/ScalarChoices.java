package io.github.broadloom.cpu.simd;

/** {@link Choices} one by one. */
final class ScalarChoices implements Choices {

    private static byte truth(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    @Override
    public void lt(float[] a, float[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] < b[i]);
        }
    }

    @Override
    public void le(float[] a, float[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] <= b[i]);
        }
    }

    @Override
    public void eq(float[] a, float[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] == b[i]);
        }
    }

    @Override
    public void ne(float[] a, float[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] != b[i]);
        }
    }

    @Override
    public void lt(int[] a, int[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] < b[i]);
        }
    }

    @Override
    public void le(int[] a, int[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] <= b[i]);
        }
    }

    @Override
    public void eq(int[] a, int[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] == b[i]);
        }
    }

    @Override
    public void ne(int[] a, int[] b, byte[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth(a[i] != b[i]);
        }
    }

    @Override
    public void where(byte[] truth, float[] a, float[] b, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth[i] != 0 ? a[i] : b[i];
        }
    }

    @Override
    public void where(byte[] truth, int[] a, int[] b, int[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = truth[i] != 0 ? a[i] : b[i];
        }
    }

    @Override
    public void whereLt(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = a[i] < b[i] ? x[i] : y[i];
        }
    }

    @Override
    public void whereLe(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            out[i] = a[i] <= b[i] ? x[i] : y[i];
        }
    }
}
