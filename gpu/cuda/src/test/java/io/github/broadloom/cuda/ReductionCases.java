package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.code.LaunchPlan;
import io.github.broadloom.cuda.code.ReductionLaunches;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Reductions that are to have the same bits on the stand-in GPU as on the CPU. */
final class ReductionCases {
    private final Random random;
    private final List<Case> cases = new ArrayList<>();

    ReductionCases(long seed) {
        this.random = new Random(seed);
    }

    List<Case> all() {
        return cases;
    }

    Random random() {
        return random;
    }

    /** @param shifts how far each operand, and the result, lies behind an aligned address, in bytes */
    record Case(Reduce reduce, List<Tensor> operands, int[] shifts, List<Object> numbers, LaunchPlan launches) {
        KernelRunner.Outcome run(KernelRunner runner, int resultBytes) {
            List<byte[]> buffers = operands.stream().map(ReductionCases::bytes).toList();
            return runner.run(launches.launches(), numbers, buffers, shifts, resultBytes, launches.scratchBytes());
        }

        @Override
        public String toString() {
            return reduce + " of " + reduce.operand().dtype() + reduce.operand().shape() + " over "
                    + operands.stream().map(Tensor::layout).toList() + " at " + Arrays.toString(shifts);
        }
    }

    /**
     * Tries a reduction.
     *
     * @param operand over tensors
     * @param misalignedElements how far the memory of each tensor lies behind an aligned address
     */
    void add(Reduction reduction, Expr operand, int misalignedElements, int... dims) {
        Expr expr = Expr.reduce(reduction, operand, KeepDim.DROP, dims);
        if (!(expr instanceof Reduce reduce)) {
            return; // an integer's truth is a cast of a reduction
        }
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = program.leaves().stream()
                .map(leaf -> (Tensor) ((Input) leaf).source())
                .toList();
        int[] shifts = IntStream.rangeClosed(0, operands.size())
                .map(k -> misalignedElements
                        * (k < operands.size() ? operands.get(k).dtype() : reduce.dtype()).bytes())
                .toArray();
        int[] alignments = Arrays.stream(shifts)
                .map(bytes -> Math.min(16, Integer.lowestOneBit(bytes | 16)))
                .toArray();
        List<Layout> layouts = operands.stream().map(Tensor::layout).toList();
        LaunchPlan launches = ReductionLaunches.of(program.spec(), List.of(reduce), layouts, alignments);
        cases.add(new Case(reduce, operands, shifts, program.numbers(), launches));
    }

    /** A tensor of random values. */
    Tensor random(DType dtype, long... shape) {
        return WildValues.tensor(random, dtype, shape);
    }

    /** Whether there is that reduction of that dtype. */
    static boolean accepts(Reduction reduction, DType dtype) {
        try {
            reduction.resultType(dtype);
            return !reduction.isLogical() || dtype == DType.BOOL;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Runs all of them, compiled together, and compares each with the CPU. */
    void runAll() {
        Set<CudaSource> sources = new LinkedHashSet<>();
        cases.forEach(one ->
                one.launches().launches().stream().map(CudaLaunch::source).forEach(sources::add));
        HostCompiler.compileAll(sources);
        List<String> wrong = new ArrayList<>();
        try (KernelRunner runner = new KernelRunner()) {
            for (Case one : cases) {
                byte[] expected = bytes(Devices.backend(Device.CPU).evaluate(one.reduce()));
                byte[] got = one.run(runner, expected.length).result();
                if (!Arrays.equals(got, expected)) {
                    wrong.add(one.toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** What lies from a tensor's first element to its last. */
    private static byte[] bytes(Tensor tensor) {
        Layout layout = tensor.layout();
        long elements = tensor.numel() == 0 ? 0 : layout.maxElement() - layout.offset() + 1;
        byte[] bytes = new byte[(int) tensor.dtype().sizeBytes(elements)];
        RawMemory.copy(tensor.address(), bytes, 0, bytes.length);
        Reference.reachabilityFence(tensor);
        return bytes;
    }
}
