package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.PointwiseProgram;
import java.util.List;

/**
 * A compiled pointwise program over rows of off-heap memory, which it reads and writes where they lie. It has no state but
 * its numbers: any number of threads may run it.
 */
public interface DirectKernel {

    /** How the elements of a row come to a kernel, and its result to where it belongs. */
    enum Reach {
        /** As vectors from and to byte buffers, but halves and bools, which are {@link #BY_PIECES} always. On Java 17 and 18. */
        IN_BUFFERS,
        /** The same from and to memory segments, from Java 22 on. */
        IN_SEGMENTS,
        /** Piece by piece of a row through short arrays. Faster than in place while the result stays in a cache. */
        BY_PIECES;

        /** As near to memory as this JVM gets. */
        public static Reach inPlace() {
            return switch (Simd.memoryAccess()) {
                case BUFFERS -> IN_BUFFERS;
                case SEGMENTS -> IN_SEGMENTS;
                case NONE -> BY_PIECES;
            };
        }

        /** Whether elements that vary go through arrays. */
        boolean isStaged(DType dtype) {
            return this == BY_PIECES || dtype.isReducedFloatingPoint() || dtype == DType.BOOL;
        }
    }

    /**
     * Computes the elements of some rows.
     *
     * @param places the memory of each operand and, last, of the result. Direct buffers in the machine's order of bytes, where the
     *     elements of a row lie together; of an operand that has one for each row, or is constant, there is one, and of one
     *     that repeats a period eight. An operand with one for each column is an array of floats
     * @param at where in each place the first row begins, in bytes
     * @param steps from row to row in each place, in bytes; 0 repeats a row
     */
    void run(Object[] places, int[] at, int[] steps, int rows, int columns);

    /** This kernel with the Longs and Doubles of a call, as {@link PointwiseProgram#numbers}; without them it does not run. */
    DirectKernel with(List<Object> numbers);
}
