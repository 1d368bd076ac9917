package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.ScalarNumbers.canonical;

/** Powers and roots, computed as doubles and rounded once. */
final class ScalarPowers implements Powers {

    /** 1 / √x. */
    @OfArrays
    static float rsqrt(float x) {
        return canonical((float) (1 / Math.sqrt(x)));
    }
}
