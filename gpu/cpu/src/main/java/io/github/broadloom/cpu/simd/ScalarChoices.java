package io.github.broadloom.cpu.simd;

/** Comparisons, and the choice between two values. {@code NaN} equals nothing, is neither less nor greater, and differs from itself. */
final class ScalarChoices implements Choices {

    /** Whether a is less than b. */
    @OfArrays
    static boolean lt(float a, float b) {
        return a < b;
    }

    /** Whether a is less than b or equal. */
    @OfArrays
    static boolean le(float a, float b) {
        return a <= b;
    }

    /** Whether a equals b. */
    @OfArrays
    static boolean eq(float a, float b) {
        return a == b;
    }

    /** Whether a differs from b. */
    @OfArrays
    static boolean ne(float a, float b) {
        return a != b;
    }

    /** Whether a is less than b. */
    @OfArrays
    static boolean lt(int a, int b) {
        return a < b;
    }

    /** Whether a is less than b or equal. */
    @OfArrays
    static boolean le(int a, int b) {
        return a <= b;
    }

    /** Whether a equals b. */
    @OfArrays
    static boolean eq(int a, int b) {
        return a == b;
    }

    /** Whether a differs from b. */
    @OfArrays
    static boolean ne(int a, int b) {
        return a != b;
    }

    /** a where the truth is not 0, else b. */
    @OfArrays
    static float where(boolean truth, float a, float b) {
        return truth ? a : b;
    }

    /** a where the truth is not 0, else b. */
    @OfArrays
    static int where(boolean truth, int a, int b) {
        return truth ? a : b;
    }

    /** x where a is less than b, else y: what {@code where} of {@code lt} is, without the truths. */
    @OfArrays
    static float whereLt(float a, float b, float x, float y) {
        return a < b ? x : y;
    }

    /** x where a is less than b or equal, else y. */
    @OfArrays
    static float whereLe(float a, float b, float x, float y) {
        return a <= b ? x : y;
    }
}
