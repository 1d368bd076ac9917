package io.github.broadloom.cpu.simd;

/**
 * Functions of the first {@code n} elements of arrays, which kernels call between their loops. Most functions of floats are computed as doubles, within about 2⁻⁴⁰ of the value, and rounded once: the
 * nearest float but for about one in 30,000. Powers of e and of 2, tanh and sigmoid are computed as floats, within 3 units of the last place. On the Vector API,
 * where the JVM was started with {@code --add-modules=jdk.incubator.vector} and has its second compiler, C2, else in plain loops; the bits are the same. A result may
 * be written over an operand. A truth is a byte, written as 0 or 1, and read as whether it is not 0.
 */
public final class Simd extends SimdFunctions {
    /** Where an array of floats has so many elements behind those that are computed, the last of these are computed as vectors, too. */
    public static final int SPARE = 4;

    private static final KernelSupport PLACES = Twins.of(KernelSupport.class, new KernelSupport() {});
    private static final MemoryAccess MEMORY_ACCESS = PLACES.memoryAccess();

    private Simd() {}

    /** Whether the functions run on the Vector API. The results are the same without it. */
    public static boolean isVectorized() {
        return Twins.VECTORIZED;
    }

    /** How many bits the vectors have that this JVM computes with: the processor may have wider ones. 0 without the Vector API. */
    public static int vectorBits() {
        return PLACES.vectorBits();
    }

    /** Whether kernels can be of vectors of eight floats, on the Vector API: this machine has them. */
    public static boolean haveEights() {
        return PLACES.haveEights();
    }

    /** Whether kernels can read and write off-heap memory as vectors of eight floats, too, and how. */
    public static MemoryAccess memoryAccess() {
        return MEMORY_ACCESS;
    }
}
