package io.github.broadloom.device;

import io.github.broadloom.codegen.FoldLoops;
import io.github.broadloom.codegen.FoldRenderer;
import io.github.broadloom.codegen.KernelCompiler;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How two partial results of a reduction become one, for vectors of them: in {@code double} for floating values, in
 * {@code long} (wrapping) for integers and bools. The minimum and maximum of numbers and NaN is NaN.
 *
 * <p>A vector is a {@code double[]} or a {@code long[]}.
 */
public abstract class Accumulators {
    private static final Map<String, FoldLoops> LOOPS = new ConcurrentHashMap<>();

    private final FoldLoops loops;

    Accumulators(Reduction reduction, String type) {
        this.loops = LOOPS.computeIfAbsent(
                FoldRenderer.render(reduction, type),
                source -> KernelCompiler.compile(FoldRenderer.CLASS_NAME, source, FoldLoops.class));
    }

    /** The accumulators of a reduction over values of that dtype. */
    public static Accumulators of(Reduction reduction, DType operand) {
        return operand.isFloatingPoint() ? new DoubleAccumulators(reduction) : new LongAccumulators(reduction);
    }

    /** The loops that fold them. */
    public final FoldLoops loops() {
        return loops;
    }

    /** A vector of that many accumulators, of which a sum's are zero. */
    public abstract Object allocate(int count);

    /** Stored elements (an array of the dtype's {@link DType#javaName()}) as accumulators. */
    public abstract void lift(DType dtype, Object elements, int count, Object into);

    /**
     * Writes final accumulators to memory as elements of a dtype.
     *
     * @param divisor what each is divided by, in double: the count of a mean, else 1
     */
    public abstract void store(Object values, int from, int count, double divisor, DType dtype, long address);

    /**
     * Folds {@code 2^level} neighbouring vectors from {@code from} on into the one at {@code at} of {@code scratch}, by
     * the dyadic tree.
     *
     * @param scratch at least as long as the block; may be {@code values}, which is then overwritten
     */
    final void foldBlock(Object values, int from, int level, int width, Object scratch, int at) {
        Object source = values;
        int start = from;
        int left = level;
        while (left > 0) {
            if (left >= 3) {
                loops.foldEights(source, start, 1 << (left - 3), width, scratch, at);
                left -= 3;
            } else {
                loops.foldPairs(source, start, 1 << (left - 1), width, scratch, at);
                left--;
            }
            source = scratch;
            start = at;
        }
        if (level == 0) {
            System.arraycopy(values, from, scratch, at, width);
        }
    }
}
