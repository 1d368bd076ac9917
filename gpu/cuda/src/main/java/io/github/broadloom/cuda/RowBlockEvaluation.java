package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.Cleanup;
import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.SharedOperands;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What one thread computes of an expression over tensors of this JVM: pieces of its rows, each in a stream of its own. A piece is started, and finished later,
 * so that others are started meanwhile. Where device memory ends, the pieces under way are finished, then a piece is halved, and at last the CPU computes it.
 */
final class RowBlockEvaluation implements AutoCloseable {
    /** A piece is not cut into more parts: the CPU is sooner done than many kernels of few rows. */
    private static final int MOST_PARTS = 16;

    private final Gpu gpu;
    private final RowCut cut;
    private final SharedOperands shared;
    private final Tensor result;
    private final Deque<Piece> underWay = new ArrayDeque<>();
    /** Memory ended for the smallest part of a piece: the others are not halved in vain. */
    private boolean neverEnough;

    private record Piece(long first, long end, CudaEvaluation evaluation) {}

    /** @param result of all rows, contiguous, of this JVM */
    RowBlockEvaluation(Gpu gpu, RowCut cut, SharedOperands shared, Tensor result) {
        this.gpu = gpu;
        this.cut = cut;
        this.shared = shared;
        this.result = result;
    }

    void start(long first, long end) {
        start(first, end, Math.max(1, (end - first) / MOST_PARTS));
    }

    private void start(long first, long end, long leastRows) {
        if (!isStarted(first, end)) {
            if (!underWay.isEmpty()) { // which hold memory
                finishUntil(0);
                start(first, end, leastRows);
            } else if (end - first > leastRows && !neverEnough) {
                GpuCounter.HALVED.add(1);
                long middle = first + (end - first) / 2;
                start(first, middle, leastRows);
                start(middle, end, leastRows);
            } else {
                neverEnough = true;
                onCpu(first, end);
            }
        }
    }

    private boolean isStarted(long first, long end) {
        @Nullable CudaEvaluation evaluation = null;
        try {
            evaluation = new CudaEvaluation(gpu, shared.copies());
            evaluation.start(cut.rows(first, end), rows(first, end));
            underWay.add(new Piece(first, end, evaluation));
            return true;
        } catch (RuntimeException | Error e) {
            if (evaluation != null) {
                closeAfter(e, evaluation);
            }
            if (e instanceof CudaException failure && failure.isOutOfMemory()) {
                return false;
            }
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, CudaEvaluation evaluation) {
        try {
            evaluation.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Waits for the oldest pieces until no more than so many are under way. */
    void finishUntil(int left) {
        while (underWay.size() > left) {
            Piece piece = underWay.remove();
            try (CudaEvaluation evaluation = piece.evaluation) {
                evaluation.finish();
            } catch (CudaException e) {
                e.requireOutOfMemory();
                onCpu(piece.first, piece.end);
            }
        }
    }

    private void onCpu(long first, long end) {
        GpuCounter.ON_CPU_FOR_MEMORY.add(1);
        DeviceWork.cpu().evaluateInto(cut.rows(first, end), rows(first, end), 1);
    }

    private Tensor rows(long first, long end) {
        return result.narrow(0, first, end - first);
    }

    @Override
    public void close() {
        Cleanup cleanup = new Cleanup();
        underWay.forEach(piece -> cleanup.run(piece.evaluation::close));
        underWay.clear();
        cleanup.finish();
    }
}
