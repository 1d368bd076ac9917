package io.github.broadloom.cuda.code;

/** The entry of kernels that run over a row of equal tiles, the last of which may be cut short. */
final class TileRowKernel {
    private TileRowKernel() {}

    static void entry(CodeText code, String entry) {
        code.open("extern \"C\" __global__ void __launch_bounds__(%d) %s(const Par p)"
                .formatted(PointwiseKernel.THREADS, entry));
        code.line("if (blockIdx.x + 1 < gridDim.x) tile<false>(p);");
        code.line("else tile<true>(p);");
        code.close();
    }
}
