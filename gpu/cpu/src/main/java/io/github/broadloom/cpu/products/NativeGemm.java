package io.github.broadloom.cpu.products;

import dev.ludovic.netlib.blas.NativeBLAS;
import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.dtype.ValueType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Products by the machine's own BLAS, found as Spark's MLlib finds it: netlib, which comes with Spark, loads {@code libblas.so.3}. Only where OpenBLAS or MKL was told to use one thread, as
 * Spark's documentation of MLlib has it, for each processor has a task of its own.
 */
public final class NativeGemm implements PackedProducts {
    /** What sets the number of threads, of OpenBLAS and of MKL. */
    private static final List<String> THREADS = List.of("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS");

    private static final int ROWS = 512;

    /** Where a library does less in a nanosecond, as the reference implementation, our own kernels are faster. */
    private static final double LEAST_FLOPS_PER_NANO = 16;

    private static final int TRIED = 192;
    private static final int TRIES = 10;

    private static final Optional<PackedProducts> FOUND = find(System.getenv());

    private final NativeBLAS blas;
    private final MicroKernels kernels = MicroKernelSource.of(ValueType.FLOAT);

    private NativeGemm(NativeBLAS blas) {
        this.blas = blas;
    }

    /** That of this process, if there is one that is worth it. */
    public static Optional<PackedProducts> found() {
        return FOUND;
    }

    static Optional<PackedProducts> find(Map<String, String> environment) {
        if (THREADS.stream().noneMatch(name -> "1".equals(environment.get(name)))) {
            return Optional.empty();
        }
        try {
            return Optional.<PackedProducts>of(new NativeGemm(NativeBLAS.getInstance()))
                    .filter(NativeGemm::isFast);
        } catch (RuntimeException | LinkageError e) { // no library, or a Spark without netlib
            return Optional.empty();
        }
    }

    private static boolean isFast(PackedProducts products) {
        float[] lines = new float[TRIED * TRIED];
        float[] result = new float[TRIED * TRIED];
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long begin = System.nanoTime();
            products.multiply(lines, 0, TRIED, lines, TRIED, TRIED, result);
            least = Math.min(least, System.nanoTime() - begin);
        }
        return 2.0 * TRIED * TRIED * TRIED > LEAST_FLOPS_PER_NANO * least;
    }

    @Override
    public int rowTile() {
        return 1;
    }

    @Override
    public int columnTile() {
        return 1;
    }

    @Override
    public int rowsAtATime() {
        return ROWS;
    }

    @Override
    public void pack(float[] lines, int count, int places, int tile, float[] packed) {
        System.arraycopy(lines, 0, packed, 0, count * places);
    }

    @Override
    public void multiply(
            float[] rows, int firstRow, int rowCount, float[] columns, int columnCount, int places, float[] products) {
        if (places == 0) {
            kernels.clear(products, rowCount * columnCount);
            return;
        }
        int from = firstRow * places; // BLAS takes columns: the operands change places, and the product is transposed
        blas.sgemm(
                "T",
                "N",
                columnCount,
                rowCount,
                places,
                1,
                columns,
                0,
                places,
                rows,
                from,
                places,
                0,
                products,
                0,
                columnCount);
    }

    @Override
    public int firstUpTo(float[] values, int from, int end, double limit) {
        return kernels.firstUpTo(values, from, end, limit);
    }
}
