package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cuda.KernelSources.Lie;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.cuda.compiler.CudaCompiler;
import io.github.broadloom.cuda.compiler.NvrtcCompiler;
import io.github.broadloom.cuda.compiler.NvrtcLibrary;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NVRTC compiles what the renderers write, without a GPU. */
@ExtendWith(NvrtcOrSkip.class)
class NvrtcKernelsTest {
    private static final int TOGETHER = 20;
    private static final int TOLD_EVERY = 50;
    private static final String AMPERE = "sm_80";
    private static final String HOPPER = "sm_90";

    private final CudaCompiler compiler = new NvrtcCompiler();

    /** Before and behind a fork in the kernels: all of them are in the test below. */
    @ParameterizedTest
    @ValueSource(strings = {CudaArchitecture.OLDEST, AMPERE})
    void everyFamilyOnAnOldAndANewArchitecture(String architecture) {
        assumeKnown(architecture);
        compile(KernelSources.ofEveryFamily(), architecture);
    }

    @ParameterizedTest
    @Tag("full")
    @FieldSource("io.github.broadloom.cuda.KernelSources#ARCHITECTURES")
    void everyFamilyAndOperationOnEveryArchitecture(String architecture) {
        assumeKnown(architecture);
        compile(Stream.concat(KernelSources.ofEveryFamily(), everyOperation()), architecture);
    }

    private static void assumeKnown(String architecture) {
        NvrtcLibrary library = NvrtcLibrary.load();
        assumeTrue(
                library.architectures().contains(CudaArchitecture.number(architecture)),
                () -> "NVRTC " + library.version() + " does not know " + architecture);
    }

    @Tag("full")
    @Test
    void everyOperationOnFloat32() {
        compile(everyOperation(), HOPPER);
    }

    private static Stream<CudaSource> everyOperation() {
        return Op.all().stream().flatMap(op -> KernelSources.of(op, DType.FLOAT32, Lie.CONTIGUOUS).stream());
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Lie.class)
    void everyDTypeHoweverOperandsLie(Lie lie) {
        compile(Stream.of("add", "where").flatMap(name -> onEveryDType(Op.of(name), lie)), HOPPER);
    }

    @Tag("full")
    @Test
    void everyCast() {
        compile(Stream.of(DType.values()).flatMap(KernelSources::casts), HOPPER);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Reduction.class)
    void everyReductionAlongRowsAlongColumnsAndOfAll(Reduction reduction) {
        compile(reductions(reduction, DType.FLOAT32, Lie.CONTIGUOUS), HOPPER);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"cumsum", "cumprod"})
    void everyRunningSumAndProduct(String function) {
        compile(scans(function, Lie.CONTIGUOUS), HOPPER);
    }

    /** Six thousand kernels, each for two architectures: says how far it is. */
    @Test
    @EnabledIfSystemProperty(
            named = "broadloom.nvrtc.kernels",
            matches = "all",
            disabledReason = "takes many minutes; -Dbroadloom.nvrtc.kernels=all")
    void everyOperationAndReductionOnEveryDTypeHoweverOperandsLie() {
        compile(Stream.of(Lie.values()).flatMap(NvrtcKernelsTest::all), AMPERE, HOPPER);
    }

    private static Stream<CudaSource> all(Lie lie) {
        Stream<CudaSource> pointwise = Op.all().stream().flatMap(op -> onEveryDType(op, lie));
        Stream<CudaSource> reductions = Stream.of(Reduction.values())
                .flatMap(reduction -> Stream.of(DType.values()).flatMap(dtype -> reductions(reduction, dtype, lie)));
        Stream<CudaSource> scans = Stream.of("cumsum", "cumprod").flatMap(function -> scans(function, lie));
        return Stream.of(pointwise, reductions, scans).flatMap(kernels -> kernels);
    }

    private static Stream<CudaSource> onEveryDType(Op op, Lie lie) {
        return Stream.of(DType.values()).flatMap(dtype -> KernelSources.of(op, dtype, lie).stream());
    }

    private static Stream<CudaSource> reductions(Reduction reduction, DType dtype, Lie lie) {
        return Stream.of(new int[] {0}, new int[] {-1}, new int[0])
                .flatMap(dims -> KernelSources.ofReduction(reduction, dtype, lie, dims));
    }

    private static Stream<CudaSource> scans(String function, Lie lie) {
        return Stream.of(DType.values())
                .flatMap(dtype -> Stream.of(0, 1).flatMap(dim -> KernelSources.ofScan(function, dtype, lie, dim)));
    }

    /** A text of several kernels, and what it is compiled for. */
    private record Work(CudaSource text, String architecture) {}

    private void compile(Stream<CudaSource> sources, String... architectures) {
        List<CudaSource> kernels = sources.distinct().toList();
        assertThat(kernels).isNotEmpty();
        List<Work> work = new ArrayList<>();
        for (int first = 0; first < kernels.size(); first += TOGETHER) {
            int end = Math.min(first + TOGETHER, kernels.size());
            CudaSource text = KernelSources.together(kernels.subList(first, end));
            Stream.of(architectures).forEach(architecture -> work.add(new Work(text, architecture)));
        }
        AtomicInteger done = new AtomicInteger();
        work.parallelStream().forEach(one -> {
            assertThat(compiler.compile(one.text(), one.architecture())).isNotEmpty();
            tell(done.incrementAndGet(), work.size(), kernels.size());
        });
    }

    private static void tell(int done, int texts, int kernels) {
        if (done % TOLD_EVERY == 0) {
            System.out.printf("NVRTC: %d of %d texts, of %d kernels in all%n", done, texts, kernels);
        }
    }
}
