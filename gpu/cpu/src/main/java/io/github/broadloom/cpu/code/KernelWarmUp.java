package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.tensor.FirstUse;

/**
 * Loads what kernels need while the first tensors are made: their compiler first, and then the Vector API, which the functions
 * of arrays are made of. Janino's several hundred classes, in a signed jar, take longer than everything else that a first
 * kernel needs.
 */
public final class KernelWarmUp implements FirstUse {
    /** More than a vector holds, so that both the vectors and their rest are run. */
    private static final int VALUES = 67;

    /** Of the kind that is rendered, so that what a kernel needs of the compiler is loaded. It is never run. */
    private static final String SOURCE = """
        package io.github.broadloom.kernel;

        import io.github.broadloom.cpu.code.TileKernel;
        import java.util.List;

        public final class Kernel implements TileKernel {
            private float c0;

            public void run(Object[] in, Object result, int rows, int columns) {
                float[] in0 = (float[]) in[0];
                float v1 = ((float[]) in[1])[0];
                float[] out = (float[]) result;
                for (int r = 0; r < rows; r++) {
                    int row = r * columns;
                    for (int c = 0; c < columns; c++) {
                        float v0 = in0[row + c];
                        boolean v2 = v0 > v1;
                        out[row + c] = v2 ? (float) Math.exp((double) (v0 - v1)) : c0 * v0;
                    }
                }
            }

            public TileKernel fresh(List numbers) {
                Kernel kernel = new Kernel();
                kernel.c0 = ((Double) numbers.get(0)).floatValue();
                return kernel;
            }
        }
        """;

    @Override
    public void load() {
        SourceCompiler.warmUp(JavaRenderer.CLASS_NAME, SOURCE, TileKernel.class);
        float[] values = new float[VALUES];
        byte[] truth = new byte[VALUES];
        Simd.tanh(values, values, VALUES);
        Simd.lt(values, values, truth, VALUES);
        Simd.where(truth, values, values, values, VALUES);
    }
}
