package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.KernelRunner;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

/**
 * A pointwise expression over tensors as launches for buffers of some alignment.
 *
 * @param tensors what its operands are views of
 * @param output the layout of the result, from the first element of a buffer
 * @param shiftElements how many elements each buffer is behind an aligned address
 */
record GeneratedKernel(
        Expr expr,
        List<Tensor> tensors,
        Layout output,
        int shiftElements,
        List<Object> numbers,
        List<CudaLaunch> launches) {
    static final long NO_LIMIT = Integer.MAX_VALUE;

    static GeneratedKernel of(Expr expr) {
        return of(expr, Layout.contiguous(expr.shape()), 0, NO_LIMIT);
    }

    static GeneratedKernel of(Expr expr, Layout output, int shiftElements, long indexLimit) {
        PointwiseProgram program = PointwiseProgram.of(expr);
        List<Tensor> tensors = program.leaves().stream()
                .map(leaf -> (Tensor) ((Input) leaf).source())
                .toList();
        LoopNest nest = LoopNest.of(output, tensors.stream().map(Tensor::layout).toList());
        int[] alignments = new int[tensors.size() + 1];
        for (int k = 0; k < tensors.size(); k++) {
            Tensor tensor = tensors.get(k);
            long start =
                    (tensor.layout().offset() + shiftElements) * tensor.dtype().bytes();
            alignments[k] = alignment(start);
        }
        alignments[tensors.size()] =
                alignment((long) shiftElements * expr.dtype().bytes());
        List<CudaLaunch> launches = PointwiseLaunches.of(program.spec(), nest, alignments, indexLimit);
        return new GeneratedKernel(expr, tensors, output, shiftElements, program.numbers(), launches);
    }

    private static int alignment(long bytes) {
        return bytes == 0 ? 256 : (int) Math.min(256, Long.lowestOneBit(bytes));
    }

    /** The source; all launches have one. */
    CudaSource source() {
        return launches.get(0).source();
    }

    /** What the kernel computes, contiguous. */
    Tensor run(KernelRunner runner) {
        return tensor(outcome(runner).result());
    }

    KernelRunner.Outcome outcome(KernelRunner runner) {
        int[] shifts = new int[tensors.size() + 1];
        Arrays.setAll(shifts, k -> {
            DType dtype = k < tensors.size() ? tensors.get(k).dtype() : expr.dtype();
            return shiftElements * dtype.bytes();
        });
        List<byte[]> operands =
                tensors.stream().map(GeneratedKernel::fromItsFirst).toList();
        return runner.run(launches, numbers, operands, shifts, (int) resultBytes(), 0);
    }

    private long resultBytes() {
        return expr.shape().numel() == 0
                ? 0
                : (output.maxElement() + 1) * expr.dtype().bytes();
    }

    /** A storage from the first element of a view on; addresses are those of first elements. */
    private static byte[] fromItsFirst(Tensor tensor) {
        long skipped = tensor.layout().offset() * tensor.dtype().bytes();
        byte[] bytes = new byte[(int) (tensor.storage().sizeBytes() - skipped)];
        RawMemory.copy(tensor.storage().address() + skipped, bytes, 0, bytes.length);
        Reference.reachabilityFence(tensor);
        return bytes;
    }

    private Tensor tensor(byte[] result) {
        Tensor written = Tensors.zeros(Shape.of(result.length / expr.dtype().bytes()), expr.dtype());
        RawMemory.copy(result, 0, written.storage().address(), result.length);
        return Tensor.of(expr.dtype(), output, written.storage()).copy();
    }
}
