package io.github.broadloom.device.cuda;

import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Evaluates an expression over tensors of this JVM on a GPU. Where rows can be computed by themselves they go there, and the result comes back, in pieces: while
 * one is computed, others are on the bus, each in a lane of its own. A piece for which the device has no memory is halved, and what cannot be halved the
 * CPU computes.
 */
final class HostEvaluation {
    /** How many pieces are under way: one goes there, one is computed, one comes back. */
    private static final int IN_FLIGHT = 3;
    /** About what a piece takes of the device: enough to fill it, and to make little of what starting a kernel costs. */
    private static final long PIECE_BYTES = 64L << 20;

    private final Gpu gpu;
    private final int threads;

    /** @param threads of this JVM that may work on it */
    HostEvaluation(Gpu gpu, int threads) {
        this.gpu = gpu;
        this.threads = threads;
    }

    /** A fresh contiguous tensor of this JVM. */
    Tensor evaluate(Expr root) {
        Optional<RowCut> cut = cut(root);
        if (cut.isEmpty()) {
            return whole(root);
        }
        Tensor result = Tensors.empty(root.dtype(), root.shape());
        try {
            inPieces(cut.get(), result);
        } catch (RuntimeException | Error e) {
            result.release();
            throw e;
        }
        Reference.reachabilityFence(result);
        return result;
    }

    /** How an expression goes in pieces; empty where it goes as a whole. */
    static Optional<RowCut> cut(Expr root) {
        return root.shape().numel() == 0 ? Optional.empty() : RowCut.of(root);
    }

    /** How many rows a piece has, but for the last. */
    static long pieceRows(RowCut cut) {
        return Math.max(1, PIECE_BYTES / Math.max(1, cut.rowBytes()));
    }

    private Tensor whole(Expr root) {
        try (CudaEvaluation evaluation = new CudaEvaluation(gpu, Map.of())) {
            Tensor there = evaluation.evaluate(root);
            Tensor here = there.to(Device.CPU);
            there.release();
            return here;
        } catch (OutOfDeviceMemoryException e) {
            GpuCounter.ON_CPU_FOR_MEMORY.add(1);
            return CudaBackend.cpu().evaluate(root, threads);
        }
    }

    private void inPieces(RowCut cut, Tensor result) {
        try (SharedOperands shared = new SharedOperands(gpu, cut.shared())) {
            long rows = pieceRows(cut);
            AtomicLong next = new AtomicLong();
            Runnable worker = () -> {
                for (long first = next.getAndAdd(rows); first < cut.rows(); first = next.getAndAdd(rows)) {
                    piece(cut, shared, first, Math.min(first + rows, cut.rows()), result);
                }
            };
            long pieces = (cut.rows() + rows - 1) / rows;
            List<ForkJoinTask<?>> others = new ArrayList<>();
            for (int i = 1; i < Math.min(Math.min(IN_FLIGHT, threads), pieces); i++) {
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

    private void piece(RowCut cut, SharedOperands shared, long first, long end, Tensor result) {
        Tensor target = result.narrow(0, first, end - first);
        try (CudaEvaluation evaluation = new CudaEvaluation(gpu, shared.copies())) {
            evaluation.download(cut.rows(first, end), target);
        } catch (OutOfDeviceMemoryException e) {
            if (end - first > 1) {
                GpuCounter.HALVED.add(1);
                long middle = first + (end - first) / 2;
                piece(cut, shared, first, middle, result);
                piece(cut, shared, middle, end, result);
            } else {
                GpuCounter.ON_CPU_FOR_MEMORY.add(1);
                CudaBackend.cpu().evaluateInto(cut.rows(first, end), target, 1);
            }
        }
    }
}
