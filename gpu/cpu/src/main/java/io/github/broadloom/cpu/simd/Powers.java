package io.github.broadloom.cpu.simd;

/** Powers and roots, computed as doubles and rounded once. Every method may write over what it reads. */
interface Powers {
    void rsqrt(float[] x, float[] out, int from, int to);
}
