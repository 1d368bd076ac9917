package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.device.cuda.KernelSources.Lie;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** NVRTC compiles what the renderers write, without a GPU. */
@ExtendWith(NvrtcOrSkip.class)
class NvrtcKernelsTest {
    private static final int BATCH = 20;
    private static final String AMPERE = "sm_80";
    private static final String HOPPER = "sm_90";

    private final CudaCompiler compiler = new NvrtcCompiler();

    @Test
    void everyOperationOnFloat32() {
        compile(
                Op.all().stream().flatMap(op -> KernelSources.of(op, DType.FLOAT32, Lie.CONTIGUOUS).stream()),
                AMPERE,
                HOPPER);
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void everyDTypeHoweverOperandsLie(Lie lie) {
        compile(Stream.of("add", "where").flatMap(name -> onEveryDType(Op.of(name), lie)), HOPPER);
    }

    @Test
    void everyCast() {
        compile(Stream.of(DType.values()).flatMap(KernelSources::casts), HOPPER);
    }

    @ParameterizedTest
    @EnumSource(Reduction.class)
    void everyReductionAlongRowsAlongColumnsAndOfAll(Reduction reduction) {
        compile(reductions(reduction, DType.FLOAT32, Lie.CONTIGUOUS), HOPPER);
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    @EnabledIfSystemProperty(
            named = "broadloom.nvrtc.kernels",
            matches = "all",
            disabledReason = "takes a quarter of an hour on two cores; -Dbroadloom.nvrtc.kernels=all")
    void everyOperationAndReductionOnEveryDTypeHoweverOperandsLie(Lie lie) {
        compile(Op.all().stream().flatMap(op -> onEveryDType(op, lie)), AMPERE, HOPPER);
        compile(
                Stream.of(Reduction.values())
                        .flatMap(reduction ->
                                Stream.of(DType.values()).flatMap(dtype -> reductions(reduction, dtype, lie))),
                AMPERE,
                HOPPER);
    }

    private static Stream<CudaSource> onEveryDType(Op op, Lie lie) {
        return Stream.of(DType.values()).flatMap(dtype -> KernelSources.of(op, dtype, lie).stream());
    }

    private static Stream<CudaSource> reductions(Reduction reduction, DType dtype, Lie lie) {
        return Stream.of(new int[] {0}, new int[] {1}, new int[0])
                .flatMap(dims -> KernelSources.ofReduction(reduction, dtype, lie, dims));
    }

    private void compile(Stream<CudaSource> sources, String... architectures) {
        List<CudaSource> kernels = sources.distinct().toList();
        assertThat(kernels).isNotEmpty();
        List<CudaSource> batches = new ArrayList<>();
        for (int first = 0; first < kernels.size(); first += BATCH) {
            batches.add(KernelSources.together(kernels.subList(first, Math.min(first + BATCH, kernels.size()))));
        }
        batches.parallelStream()
                .forEach(batch -> Stream.of(architectures)
                        .forEach(architecture -> assertThat(compiler.compile(batch, architecture))
                                .isNotEmpty()));
    }
}
