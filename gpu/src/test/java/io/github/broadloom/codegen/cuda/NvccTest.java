package io.github.broadloom.codegen.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ExprParser;
import io.github.broadloom.expr.LineOp;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.Ops;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.shape.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** NVIDIA's own compiler takes the kernels, and those of the benchmarks keep what they compute in registers. */
@DisabledIf(value = "nvccIsMissing", disabledReason = "no nvcc on this machine; -Dbroadloom.nvcc=PATH names one")
class NvccTest {
    /** With so many, a multiprocessor still holds a thousand threads. */
    private static final int MOST_REGISTERS = 64;

    static boolean nvccIsMissing() {
        return Nvcc.isMissing();
    }

    @Test
    void everyOperationCompiles() {
        List<CudaSource> sources = Op.all().stream()
                .filter(op -> op != Ops.EXPAND_AS)
                .map(op -> Stream.of(DType.FLOAT32, DType.INT32, DType.FLOAT64)
                        .flatMap(dtype -> kernel(op, dtype).stream())
                        .findFirst()
                        .orElseThrow())
                .toList();
        assertThat(Nvcc.compile(sources)).hasSizeGreaterThanOrEqualTo(sources.size());
    }

    @Test
    void everyWayThroughMemoryCompilesForEveryDTypeAndSpillsNothing() {
        List<CudaSource> sources = new ArrayList<>();
        for (DType dtype : DType.values()) {
            Expr x = Kernels.input(dtype, 64, 96, 32);
            sources.add(Kernels.source(negated(x)));
            sources.add(Kernels.source(Expr.apply(Ops.MAXIMUM, x, Kernels.input(dtype, 96, 1))));
            sources.add(
                    Kernels.source(Expr.apply(Ops.MAXIMUM, Kernels.input(dtype, 1000, 3), Kernels.input(dtype, 3))));
            sources.add(Kernels.source(
                    Expr.apply(Ops.MAXIMUM, Kernels.transposed(dtype, 200, 300), Kernels.input(dtype, 200, 300))));
        }
        assertThat(Nvcc.compile(sources)).allSatisfy(NvccTest::staysInRegisters);
    }

    @Test
    void theKernelsOfTheBenchmarksStayInRegisters() {
        Map<String, Expr> names = Map.of(
                "x", Kernels.input(DType.FLOAT32, 512, 3, 224, 224),
                "m", Kernels.input(DType.FLOAT32, 3, 1, 1),
                "s", Kernels.input(DType.FLOAT32, 3, 1, 1),
                "u", Kernels.input(DType.UINT8, 512, 224, 224, 3),
                "c", Kernels.input(DType.FLOAT32, 3),
                "h", Kernels.input(DType.FLOAT16, 256, 3, 224, 224),
                "mask", Kernels.input(DType.BOOL, 256, 1, 224, 224),
                "scale", Kernels.input(DType.FLOAT16, 3, 1, 1),
                "a", Kernels.input(DType.FLOAT32, 4096, 4096),
                "b", Kernels.transposed(DType.FLOAT32, 4096, 4096));
        List<CudaSource> sources = Stream.of(
                        "(x - m) * s",
                        "where(x > m, tanh((x - m) * s) + exp(-x * x), 0.1 * x)",
                        "(float32(u) / 255 - c) / c",
                        "where(mask, h * scale, h - scale)",
                        "a + b",
                        "clamp((x - m) / s * 2 + 1 - x * x + abs(x) / 3, -1, 1)",
                        "gelu(x)",
                        "sigmoid(x) * x")
                .map(text -> Kernels.source(ExprParser.parse(text, names)))
                .toList();
        List<Nvcc.Usage> usages = Nvcc.compile(sources);
        assertThat(usages).hasSameSizeAs(sources).allSatisfy(NvccTest::staysInRegisters);
        assertThat(usages).allSatisfy(usage -> assertThat(usage.registers()).isLessThanOrEqualTo(MOST_REGISTERS));
    }

    @Test
    void reductionsAndScansStayInRegisters() {
        List<CudaSource> sources = new ArrayList<>();
        for (Reduction reduction :
                List.of(Reduction.SUM, Reduction.PROD, Reduction.AMAX, Reduction.VAR, Reduction.ARGMAX)) {
            for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
                for (int dim = 0; dim < 2; dim++) {
                    Expr operand = Kernels.input(dtype, 100_000, 1000);
                    Reduce reduce = (Reduce) Expr.reduce(reduction, operand, new int[] {dim}, false);
                    PointwiseProgram program = PointwiseProgram.of(operand);
                    List<Layout> layouts = List.of(Layout.contiguous(operand.shape()));
                    int[] aligned = {16};
                    List<CudaLaunch> launches =
                            new ArrayList<>(ReductionLaunches.of(program.spec(), reduce, layouts, aligned)
                                    .launches());
                    if (dim == 0) {
                        launches.addAll(PartialLaunches.of(program.spec(), reduce, 100_000, layouts, aligned)
                                .launches());
                    }
                    launches.forEach(launch -> sources.add(launch.source()));
                }
            }
        }
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64)) {
            Expr operand = Kernels.input(dtype, 100_000, 1000);
            PointwiseProgram program = PointwiseProgram.of(operand);
            Along scan = Along.of(LineOp.of(LineOp.Kind.CUMSUM), operand, new int[] {0}, false);
            ScanLaunches.of(program.spec(), scan, List.of(Layout.contiguous(operand.shape())), new int[] {16})
                    .launches()
                    .forEach(launch -> sources.add(launch.source()));
        }
        List<CudaSource> distinct = sources.stream().distinct().toList();
        assertThat(Nvcc.compile(distinct)).hasSameSizeAs(distinct).allSatisfy(NvccTest::staysInRegisters);
    }

    private static void staysInRegisters(Nvcc.Usage usage) {
        assertThat(usage.stackBytes()).isZero();
        assertThat(usage.spilledBytes()).isZero();
    }

    private static Expr negated(Expr x) {
        return Expr.apply(x.dtype() == DType.BOOL ? Ops.LOGICAL_NOT : Ops.NEG, x);
    }

    private static Optional<CudaSource> kernel(Op op, DType dtype) {
        DType[] dtypes = new DType[op.arity()];
        Arrays.fill(dtypes, dtype);
        if (op == Ops.WHERE) {
            dtypes[0] = DType.BOOL;
        }
        try {
            Expr[] arguments =
                    Arrays.stream(dtypes).map(each -> Kernels.input(each, 1024)).toArray(Expr[]::new);
            return Optional.of(Kernels.source(Expr.apply(op, arguments)));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }
}
