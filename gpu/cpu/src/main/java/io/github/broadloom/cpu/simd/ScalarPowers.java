package io.github.broadloom.cpu.simd;

/** {@link Powers} one by one. */
final class ScalarPowers implements Powers {

    @Override
    public void rsqrt(float[] x, float[] out, int from, int to) {
        for (int i = from; i < to; i++) {
            float result = (float) (1.0 / Math.sqrt(x[i]));
            out[i] = Float.isNaN(result) ? Float.NaN : result;
        }
    }
}
