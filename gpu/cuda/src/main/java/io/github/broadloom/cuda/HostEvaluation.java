package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.Cleanup;
import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.SharedOperands;
import io.github.broadloom.cuda.driver.StreamTransfers;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Evaluates an expression over tensors of this JVM on a GPU. Where rows can be computed by themselves they go there, and the result comes back, in pieces: while
 * one is computed, others are on the bus, each in a stream of its own. A piece for which the device has no memory is halved, and what is not worth halving the
 * CPU computes.
 */
final class HostEvaluation {
    /** How many pieces are under way, where fewer threads work on them: one goes there, one is computed, one comes back. */
    private static final int IN_FLIGHT = 3;
    /** One copies some 10 GB/s, the bus 50 in each direction. */
    private static final int MOST_WORKERS = 8;
    /** So many pieces at least, where they do not get too small: the first to go and the last to come have nothing beside them. */
    private static final int LEAST_PIECES = 2 * IN_FLIGHT;
    /** A piece is large enough to fill the device, and to make little of what starting a kernel costs. */
    private static final long LEAST_BYTES = 8L << 20;

    private static final long MOST_BYTES = 32L << 20;

    private final Gpu gpu;
    private final int threads;
    private final long leastBytes;

    /** @param threads of this JVM that may work on it; a single one drives all streams */
    HostEvaluation(Gpu gpu, int threads) {
        this(gpu, threads, LEAST_BYTES);
    }

    /** @param leastBytes of a piece, its operands and its result */
    HostEvaluation(Gpu gpu, int threads, long leastBytes) {
        this.gpu = gpu;
        this.threads = threads;
        this.leastBytes = leastBytes;
    }

    Tensor evaluate(Expr root) {
        return Cleanup.filled(Tensors.empty(root.dtype(), root.shape()), result -> {
            cut(root).ifPresentOrElse(cut -> inPieces(cut, result), () -> whole(root, result));
            return result;
        });
    }

    /** How an expression goes in pieces; empty where it goes as a whole. */
    static Optional<RowCut> cut(Expr root) {
        return root.shape().numel() == 0 ? Optional.empty() : RowCut.of(root);
    }

    static long pieceRows(RowCut cut) {
        return pieceRows(cut, LEAST_BYTES);
    }

    /** However many threads there are, so that kernels are known before; and a thread that drives several streams leaves the result under way. */
    private static long pieceRows(RowCut cut, long leastBytes) {
        long bytes = Math.max(leastBytes, Math.min(MOST_BYTES, cut.rows() * cut.rowBytes() / LEAST_PIECES));
        long rows = Math.min(
                bytes / Math.max(1, cut.rowBytes()),
                StreamTransfers.BYTES_IN_FLIGHT / Math.max(1, cut.resultRowBytes()));
        return Math.max(1, rows);
    }

    private void whole(Expr root, Tensor result) {
        try (CudaEvaluation evaluation = new CudaEvaluation(gpu, Map.of())) {
            evaluation.start(root, result);
            evaluation.finish();
        } catch (CudaException e) {
            e.requireOutOfMemory();
            GpuCounter.ON_CPU_FOR_MEMORY.add(1);
            DeviceWork.cpu().evaluateInto(root, result, threads);
        }
    }

    private void inPieces(RowCut cut, Tensor result) {
        try (SharedOperands shared = new SharedOperands(gpu, cut.shared())) {
            int workers = Math.min(MOST_WORKERS, threads);
            long rows = pieceRows(cut, leastBytes);
            AtomicLong next = new AtomicLong();
            Runnable worker = () -> {
                try (RowBlockEvaluation pieces = new RowBlockEvaluation(gpu, cut, shared, result)) {
                    for (long first = next.getAndAdd(rows); first < cut.rows(); first = next.getAndAdd(rows)) {
                        pieces.finishUntil((IN_FLIGHT + workers - 1) / workers - 1);
                        pieces.start(first, Math.min(first + rows, cut.rows()));
                    }
                    pieces.finishUntil(0);
                }
            };
            long pieces = (cut.rows() + rows - 1) / rows;
            List<ForkJoinTask<?>> others = new ArrayList<>();
            for (int i = 1; i < Math.min(workers, pieces); i++) {
                others.add(ForkJoinTask.adapt(worker).fork());
            }
            try {
                worker.run();
            } finally {
                others.forEach(ForkJoinTask::quietlyJoin);
            }
            others.forEach(ForkJoinTask::join);
        }
    }
}
