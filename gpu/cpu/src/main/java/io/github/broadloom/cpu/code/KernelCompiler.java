package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;

/** The kernels of programs: rendered, and compiled in memory. */
public final class KernelCompiler {
    private KernelCompiler() {}

    /** A pointwise kernel: a prototype, of which each thread takes a {@link TileKernel#fresh} instance. */
    public static TileKernel pointwise(KernelSpec spec) {
        return SourceCompiler.compile(JavaRenderer.CLASS_NAME, JavaRenderer.render(spec), TileKernel.class);
    }

    /** A kernel that reads and writes memory; {@link DirectKernelRenderer#supports} says of what there is one. */
    public static DirectKernel direct(KernelSpec spec, DirectKernel.Reach reach) {
        return SourceCompiler.compile(
                DirectKernelRenderer.CLASS_NAME, DirectKernelRenderer.render(spec, reach), DirectKernel.class);
    }

    /** A kernel that folds what it computes; {@link FoldKernelRenderer#supports} says of what there is one. */
    public static FoldKernel fold(KernelSpec spec, Reduction reduction) {
        return SourceCompiler.compile(
                FoldKernelRenderer.CLASS_NAME, FoldKernelRenderer.render(spec, reduction), FoldKernel.class);
    }
}
