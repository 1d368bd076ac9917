package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.HostCompiler;
import io.github.broadloom.cuda.KernelRunner;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation on each dtype, and each cast, through generated CUDA C: against the CPU, over values where something may go wrong. */
@WithFakeGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryOpTest {
    /** A zero among their integer divisors is an error, which {@link ZeroDivisionTest} looks at. */
    private static final Set<Op> DIVISIONS = Set.of(Ops.FLOOR_DIVIDE, Ops.DIV_TRUNC, Ops.REMAINDER, Ops.FMOD);

    private KernelRunner runner;

    @BeforeAll
    void compileAllAtOnce() {
        runner = new KernelRunner();
        List<CudaSource> sources = new ArrayList<>();
        operations().forEach(op -> kernels(op).forEach(kernel -> sources.add(kernel.source())));
        for (DType from : DType.values()) {
            casts(from).forEach(kernel -> sources.add(kernel.source()));
        }
        HostCompiler.compileAll(sources);
    }

    @AfterAll
    void close() {
        runner.close();
    }

    /** All but the repetition of an operand, which is a matter of strides and not a step of any kernel. */
    static List<Op> operations() {
        return Op.all().stream().filter(op -> op != Ops.EXPAND_AS).toList();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationIsWhatItIsOnTheCpu(Op op) {
        for (GeneratedKernel kernel : kernels(op).toList()) {
            check(kernel, op.ulp());
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void aCastIsWhatItIsOnTheCpu(DType from) {
        casts(from).forEach(kernel -> check(kernel, 0));
    }

    @Test
    void everyOperationHasAKernelForOneDTypeAtLeast() {
        assertThat(operations()).allSatisfy(op -> assertThat(kernels(op)).isNotEmpty());
    }

    private void check(GeneratedKernel kernel, int ulp) {
        Tensor expected = Devices.backend(Device.CPU).evaluate(kernel.expr());
        Tensor actual = kernel.run(runner);
        List<Object> wanted = expected.values();
        List<Object> got = actual.values();
        for (int i = 0; i < wanted.size(); i++) {
            if (!isNear(got.get(i), wanted.get(i), expected.dtype(), ulp)) {
                throw new AssertionError(kernel.expr() + " of " + operands(kernel, i) + " is " + got.get(i) + ", not "
                        + wanted.get(i) + "\n" + kernel.source().text());
            }
        }
    }

    private static boolean isNear(Object got, Object wanted, DType dtype, int ulp) {
        return dtype.isFloatingPoint()
                ? Ulps.between((Double) got, (Double) wanted, dtype) <= 2L * ulp
                : got.equals(wanted);
    }

    private static List<Object> operands(GeneratedKernel kernel, int element) {
        return kernel.tensors().stream()
                .map(tensor ->
                        tensor.expand(kernel.expr().shape()).copy().values().get(element))
                .toList();
    }

    /** The kernels of an operation, one for each dtype that it has. */
    private static Stream<GeneratedKernel> kernels(Op op) {
        return Stream.of(DType.values()).flatMap(dtype -> kernel(op, dtype).stream());
    }

    private static Optional<GeneratedKernel> kernel(Op op, DType dtype) {
        List<Expr> arguments = new ArrayList<>();
        int count = op.arity();
        for (int i = 0; i < count; i++) {
            boolean condition = op.name().equals("where") && i == 0;
            boolean divides = i > 0 && DIVISIONS.contains(op) && !dtype.isFloatingPoint();
            List<Object> values = Values.of(condition ? DType.BOOL : dtype, divides);
            long[] shape = new long[count];
            Arrays.fill(shape, 1);
            shape[i] = values.size();
            DType stored = condition ? DType.BOOL : dtype;
            Layout layout = Layout.contiguous(Shape.of(shape));
            arguments.add(Input.of(Tensors.fromStorageValues(stored, layout, values)));
        }
        try {
            return Optional.of(GeneratedKernel.of(Expr.apply(op, arguments.toArray(Expr[]::new))));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }

    private static Stream<GeneratedKernel> casts(DType from) {
        List<Object> values = Values.of(from, false);
        Tensor tensor = Tensors.fromStorageValues(from, Layout.contiguous(Shape.of(values.size())), values);
        return Stream.of(DType.values()).map(to -> GeneratedKernel.of(Expr.cast(Input.of(tensor), to)));
    }
}
