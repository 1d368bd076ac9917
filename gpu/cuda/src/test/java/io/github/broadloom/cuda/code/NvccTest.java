package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cuda.KernelSources;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NVIDIA's own compiler takes the kernels, and those of the benchmarks keep what they compute in registers. */
@DisabledIf(value = "nvccIsMissing", disabledReason = "no nvcc on this machine; -Dbroadloom.nvcc=PATH names one")
class NvccTest {
    /** With so many, a multiprocessor still holds a thousand threads. */
    private static final int MOST_REGISTERS = 64;

    /** With so many, a fold's blocks have two to a multiprocessor, and those of tiles, which are half as large, four. */
    private static final int MOST_OF_A_FOLD = 128;

    private static final String HOPPER = "sm_90";

    static boolean nvccIsMissing() {
        return Nvcc.isMissing();
    }

    @Tag("full")
    @Test
    void everyOperationCompiles() {
        List<CudaSource> sources = Op.all().stream()
                .filter(op -> op != Ops.EXPAND_AS)
                .map(op -> Stream.of(DType.FLOAT32, DType.INT32, DType.FLOAT64)
                        .flatMap(dtype -> kernel(op, dtype).stream())
                        .findFirst()
                        .orElseThrow())
                .toList();
        assertThat(Nvcc.compile(sources, HOPPER)).hasSizeGreaterThanOrEqualTo(sources.size());
    }

    @ParameterizedTest
    @Tag("full")
    @FieldSource("io.github.broadloom.cuda.KernelSources#ARCHITECTURES")
    void everyFamilyCompilesForEveryArchitecture(String architecture) {
        assumeTrue(Nvcc.architectures().contains(architecture), () -> "nvcc does not know " + architecture);
        List<CudaSource> sources = KernelSources.ofEveryFamily().distinct().toList();
        assertThat(Nvcc.compile(sources, architecture)).hasSameSizeAs(sources);
    }

    @Tag("full")
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
        assertThat(Nvcc.compile(sources, HOPPER)).allSatisfy(NvccTest::staysInRegisters);
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
        List<PtxasUsage> usages = Nvcc.compile(sources, HOPPER);
        assertThat(usages).hasSameSizeAs(sources).allSatisfy(NvccTest::staysInRegisters);
        assertThat(usages).allSatisfy(usage -> assertThat(usage.registers()).isLessThanOrEqualTo(MOST_REGISTERS));
    }

    /** One kind each of what the tests with the tag full compile all of. */
    @Test
    void aKernelOfEachFamilyStaysInRegisters() {
        Set<CudaSource> sources = new LinkedHashSet<>(reductions("MEAN STD", DType.FLOAT32, 1));
        sources.add(ofLines("softmax(x, -1)", DType.FLOAT32, 1000));
        sources.add(tiles("sum((a - b) * (a - b), -1)", DType.FLOAT32, 64));
        KernelSources.ofProduct(DType.FLOAT32, 4096, 4096, 4096).forEach(sources::add);
        sources.add(Kernels.source(Expr.apply(
                Ops.MAXIMUM, Kernels.transposed(DType.FLOAT16, 200, 300), Kernels.input(DType.FLOAT16, 200, 300))));
        assertThat(Nvcc.compile(List.copyOf(sources), HOPPER))
                .hasSameSizeAs(sources)
                .allSatisfy(usage -> {
                    assertThat(usage.spilledBytes()).isZero();
                    assertThat(usage.registers()).isLessThanOrEqualTo(MOST_OF_A_FOLD);
                });
    }

    /** Rows in few enough, so that a thousand threads are there; columns, of which each has a stack, and three kinds in twice as many. */
    @Tag("full")
    @Test
    void reductionsAndScansStayInRegisters() {
        Set<CudaSource> ofRows = new LinkedHashSet<>();
        Set<CudaSource> others = new LinkedHashSet<>();
        for (String names : List.of(
                "SUM",
                "PROD",
                "AMAX",
                "VAR",
                "ARGMAX",
                "MEAN STD",
                "AMAX ARGMAX",
                "AMIN AMAX MEAN STD",
                "SUM STD ARGMIN")) {
            for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
                for (int dim = 0; dim < 2; dim++) {
                    (dim == 0 || names.contains("ARGMIN") ? others : ofRows).addAll(reductions(names, dtype, dim));
                }
            }
        }
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64)) {
            for (int dim = 0; dim < 2; dim++) {
                Expr operand = Kernels.input(dtype, 100_000, 1000);
                Along scan = Along.of(LineOp.of(LineOp.Kind.CUMSUM), operand, KeepDim.DROP, dim);
                ScanLaunches.of(PointwiseProgram.of(operand).spec(), scan, layouts(operand), new int[] {16})
                        .launches()
                        .forEach(launch -> others.add(launch.source()));
            }
        }
        assertThat(usages(ofRows))
                .allSatisfy(usage -> assertThat(usage.registers()).isLessThanOrEqualTo(MOST_REGISTERS));
        assertThat(usages(others))
                .allSatisfy(usage -> assertThat(usage.registers()).isLessThanOrEqualTo(MOST_OF_A_FOLD));
    }

    /** Of lines that some lanes, a warp and several warps have: many threads, though each folds twice and writes. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_80", HOPPER})
    void reductionsWithWhatStandsAboveThemStayInRegisters(String architecture) {
        Set<CudaSource> sources = new LinkedHashSet<>();
        for (String text : List.of(
                "softmax(x, -1)", "(x - mean(x, -1, keepdim=True)) / sqrt(var(x, -1, keepdim=True) + 1e-5) * w")) {
            for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
                for (int length : new int[] {50, 1000, 4096}) {
                    sources.add(ofLines(text, dtype, length));
                }
            }
        }
        List<PtxasUsage> usages = Nvcc.compile(List.copyOf(sources), architecture);
        assertThat(usages)
                .hasSameSizeAs(sources)
                .allSatisfy(NvccTest::staysInRegisters)
                .allSatisfy(usage -> assertThat(usage.registers()).isLessThanOrEqualTo(MOST_OF_A_FOLD));
    }

    private static CudaSource ofLines(String text, DType dtype, long length) {
        Map<String, Expr> names = Map.of("x", Kernels.input(dtype, 100_000, length), "w", Kernels.input(dtype, length));
        LineProgram lines =
                LineProgram.of(ExprParser.parse(text, names), leaf -> false).orElseThrow();
        List<Layout> layouts = lines.leaves().stream()
                .map(leaf -> Layout.contiguous(leaf.shape()))
                .toList();
        int[] aligned = new int[layouts.size() + 1];
        Arrays.fill(aligned, 16);
        return LineLaunches.of(lines, layouts, aligned).orElseThrow().source();
    }

    private static List<PtxasUsage> usages(Set<CudaSource> sources) {
        List<PtxasUsage> usages = Nvcc.compile(List.copyOf(sources), HOPPER);
        assertThat(usages).hasSameSizeAs(sources).allSatisfy(NvccTest::staysInRegisters);
        return usages;
    }

    private static List<Layout> layouts(Expr operand) {
        return List.of(Layout.contiguous(operand.shape()));
    }

    /** The kernels of reductions of one operand, of all rows and of a chunk of them. */
    private static List<CudaSource> reductions(String names, DType dtype, int dim) {
        Expr operand = Kernels.input(dtype, 100_000, 1000);
        List<Reduce> sharing = Arrays.stream(names.split(" "))
                .map(name -> (Reduce) Expr.reduce(Reduction.valueOf(name), operand, KeepDim.DROP, dim))
                .toList();
        KernelSpec spec = PointwiseProgram.of(operand).spec();
        int[] aligned = {16};
        List<CudaLaunch> launches = new ArrayList<>(
                ReductionLaunches.of(spec, sharing, layouts(operand), aligned).launches());
        if (dim == 0) {
            for (List<Reduce> together : PartialLaunches.together(sharing)) {
                launches.addAll(PartialLaunches.of(spec, together, 100_000, layouts(operand), aligned)
                        .plan()
                        .launches());
            }
        }
        return launches.stream().map(CudaLaunch::source).toList();
    }

    /** Their stacks are in local memory from a level on that is seldom reached; nothing else is. */
    @Tag("full")
    @Test
    void tilesOfExpandingOperandsSpillNothingHoweverLongTheirLines() {
        List<CudaSource> sources = Stream.of("sum", "prod", "amin", "argmax")
                .flatMap(name -> IntStream.of(64, 511, 512, 5000)
                        .boxed()
                        .flatMap(length -> Stream.of(DType.FLOAT32, DType.FLOAT64)
                                .map(dtype -> tiles(name + "((a - b) * (a - b), -1)", dtype, length))))
                .distinct()
                .toList();
        List<PtxasUsage> usages = Nvcc.compile(sources, HOPPER);
        assertThat(usages).hasSameSizeAs(sources).allSatisfy(usage -> {
            assertThat(usage.spilledBytes()).isZero();
            assertThat(usage.registers()).isLessThanOrEqualTo(MOST_OF_A_FOLD);
        });
    }

    @Test
    void tilesOfManyOperandsFitSharedMemory() {
        CudaSource six = tiles("sum((a - b) * (c - d) * (e - f), -1)", DType.FLOAT64, 64);
        assertThat(Nvcc.compile(List.of(six), HOPPER))
                .hasSize(1)
                .allSatisfy(usage -> assertThat(usage.spilledBytes()).isZero());
    }

    /** Of a, c and e over rows, and b, d and f over columns. */
    private static CudaSource tiles(String text, DType dtype, long length) {
        Map<String, Expr> names = Stream.of("a", "b", "c", "d", "e", "f")
                .collect(Collectors.toMap(
                        name -> name,
                        name -> "ace".contains(name)
                                ? Kernels.input(dtype, 400, 1, length)
                                : Kernels.input(dtype, 400, length)));
        Reduce reduce = (Reduce) ExprParser.parse(text, names);
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Layout> layouts = program.leaves().stream()
                .map(leaf -> Layout.contiguous(leaf.shape()))
                .toList();
        int[] aligned = new int[layouts.size()];
        Arrays.fill(aligned, 16);
        List<CudaLaunch> launches = ReductionLaunches.of(program.spec(), List.of(reduce), layouts, aligned)
                .launches();
        assertThat(launches).hasSize(1);
        return launches.get(0).source();
    }

    @Tag("full")
    @Test
    void productsLeaveRoomForTwoBlocksAndSpillNothing() {
        List<CudaSource> sources = new ArrayList<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64, DType.INT8, DType.INT64)) {
            for (long columns : new long[] {4096, 20, 1}) {
                KernelSources.ofProduct(dtype, 4096, 4096, columns).forEach(sources::add);
            }
        }
        assertThat(Nvcc.compile(sources, HOPPER))
                .allSatisfy(usage -> assertThat(usage.spilledBytes()).isZero())
                .allSatisfy(
                        usage -> assertThat(usage.registers()).isLessThanOrEqualTo(128)); // of 65,536 for 512 threads
    }

    private static void staysInRegisters(PtxasUsage usage) {
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
