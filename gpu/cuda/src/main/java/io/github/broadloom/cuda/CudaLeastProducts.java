package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.CudaBuffers;
import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.MissingKernels;
import io.github.broadloom.cuda.driver.SharedOperands;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Products;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Least products on a GPU: blocks of products that stay in its second cache, each read once by the kernel that keeps the least. The columns stay on the device for all who search them, in parts, of which it drops
 * those that nobody uses where it wants the room.
 */
record CudaLeastProducts(Gpu gpu, Limits limits) implements LeastProducts {
    /**
     * What is there at a time.
     *
     * @param products of a block
     * @param bytes of the columns that go to the device together
     */
    record Limits(long products, long bytes) {
        /** 32 MiB of products: of a thousand rows as many tiles as keep the device busy, and no more than the second cache of the larger ones has. */
        static final Limits USUAL = new Limits(1 << 23, 64 << 20);

        /** How many columns a block has, of so many. */
        private long block(long rowCount, Shape columns) {
            return Math.max(1, Math.min(columns.size(0), Math.min(products / rowCount, together(columns))));
        }

        private long together(Shape columns) {
            return bytes / DType.FLOAT32.sizeBytes(columns.size(1));
        }

        /** How many go there together: whole blocks. */
        private long part(long rowCount, Shape columns) {
            long block = block(rowCount, columns);
            return Math.max(block, together(columns) / block * block);
        }
    }

    @Override
    public Optional<long[]> of(Tensor rows, Tensor columns, int count) {
        return MissingKernels.orElse(() -> there(rows, columns, count), Optional::empty);
    }

    private Optional<long[]> there(Tensor rows, Tensor columns, int count) {
        try (Search search = new Search(gpu.stream(), rows, columns.shape(), count, limits)) {
            long all = columns.shape().size(0);
            long some = limits.part(rows.shape().size(0), columns.shape());
            for (long first = 0; first < all; first += some) {
                Tensor part = columns.narrow(0, first, Math.min(some, all - first));
                try (SharedOperands shared = new SharedOperands(gpu, List.of(part))) {
                    Tensor there = shared.copies().get(part);
                    if (there == null) {
                        return withoutMemory();
                    }
                    search.among(there, first);
                }
            }
            return Optional.of(search.found());
        } catch (CudaException e) {
            e.requireOutOfMemory();
            return withoutMemory();
        }
    }

    private static Optional<long[]> withoutMemory() {
        GpuCounter.ON_CPU_FOR_MEMORY.add(1);
        return Optional.empty();
    }

    /** What is done for some rows, in order. */
    static final class Search implements AutoCloseable {
        private final DeviceWork work;
        private final CudaBuffers buffers;
        private final CudaPasses passes;
        private final long rowCount;
        private final long block;
        private final Tensor rows;
        private final Tensor least;
        /** Of the products of a block. */
        private final Tensor memory;

        Search(DeviceWork work, Tensor rows, Shape columns, int count, Limits limits) {
            this.work = work;
            this.buffers = new CudaBuffers(work, Map.of());
            this.passes = new CudaPasses(work, buffers);
            this.rowCount = rows.shape().size(0);
            this.block = limits.block(rowCount, columns);
            try {
                this.rows = buffers.of(Input.of(rows));
                this.least = buffers.memory(DType.INT64, Shape.of(rowCount, count));
                this.memory = buffers.memory(DType.FLOAT32, Shape.of(rowCount * block));
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        /** Searches columns of the device, of which the first is the one of that number. */
        void among(Tensor columns, long number) {
            long all = columns.shape().size(0);
            for (long first = 0; first < all; first += block) {
                Cancellation.check();
                long here = Math.min(block, all - first);
                Tensor some = columns.narrow(0, first, here).t();
                Contraction product = (Contraction) Products.matmul(Input.of(rows), Input.of(some));
                Tensor products = memory.narrow(0, 0, rowCount * here).view(1, rowCount, here);
                passes.leastProducts(product, rows.unsqueeze(0), some.unsqueeze(0), products, number + first, least);
            }
        }

        long[] found() {
            Tensor here = work.freshHere(DType.INT64, least.shape());
            try {
                work.download(least, here);
                return here.toLongArray();
            } finally {
                here.release();
            }
        }

        @Override
        public void close() {
            try {
                work.close();
            } finally {
                passes.close();
                buffers.close();
            }
        }
    }
}
