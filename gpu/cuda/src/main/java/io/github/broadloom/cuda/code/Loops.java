package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The loops of a pointwise kernel over its operands and its result, which here are all <em>streams</em> of elements: operand {@code k}
 * is stream {@code k}, and the result is the last.
 *
 * @param sizes the iterations of each loop, outermost first; at least one loop
 * @param strides the step of each stream in each loop, in elements
 * @param dtypes what each stream's elements are
 */
record Loops(long[] sizes, long[][] strides, List<DType> dtypes) {
    static Loops of(KernelSpec spec, LoopNest nest) {
        int rank = Math.max(1, nest.rank()); // a single element is a loop of one
        int operands = nest.operands();
        long[] sizes = new long[rank];
        long[][] strides = new long[operands + 1][rank];
        for (int loop = 0; loop < rank; loop++) {
            boolean real = loop < nest.rank();
            sizes[loop] = real ? nest.size(loop) : 1;
            for (int k = 0; k < operands; k++) {
                strides[k][loop] = real ? nest.stride(k, loop) : 0;
            }
            strides[operands][loop] = real ? nest.outputStride(loop) : 1;
        }
        Stream<DType> dtypes = spec.operands().stream().map(KernelSpec.Operand::dtype);
        return new Loops(
                sizes, strides, Stream.concat(dtypes, Stream.of(spec.dtype())).toList());
    }

    int rank() {
        return sizes.length;
    }

    int streams() {
        return strides.length;
    }

    int result() {
        return strides.length - 1;
    }

    int inner() {
        return sizes.length - 1;
    }

    long innerStride(int stream) {
        return strides[stream][inner()];
    }

    int bytes(int stream) {
        return dtypes.get(stream).bytes();
    }

    long elements() {
        return Shape.of(sizes).numel();
    }

    boolean isConstant(int stream) {
        return Arrays.stream(strides[stream]).allMatch(stride -> stride == 0);
    }

    /** Whether element i of the whole iteration is element i of a stream. */
    boolean isDense(int stream) {
        long expected = 1;
        for (int loop = inner(); loop >= 0; loop--) {
            if (sizes[loop] != 1 && strides[stream][loop] != expected) {
                return false;
            }
            expected *= sizes[loop];
        }
        return true;
    }

    /** Whether every element of a stream is visited once only, so that it need not stay in a cache. */
    boolean isVisitedOnce(int stream) {
        return IntStream.range(0, rank()).allMatch(loop -> sizes[loop] == 1 || strides[stream][loop] != 0);
    }
}
