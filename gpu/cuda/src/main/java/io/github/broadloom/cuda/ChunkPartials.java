package io.github.broadloom.cuda;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.cuda.driver.CudaException;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.SharedOperands;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reductions over a chunk of rows on a GPU, as far as the chunk goes. Tensors of this JVM go there once for all of them, and in pieces where they
 * are large; where the device has no memory for one they are halved,
 * and where it has none for a single row the CPU computes those that are left.
 */
final class ChunkPartials {
    /** About what a piece takes of the device: a thread has one piece at a time, and other tasks have theirs. */
    private static final long PIECE_BYTES = 256L << 20;

    private final Gpu gpu;

    ChunkPartials(Gpu gpu) {
        this.gpu = gpu;
    }

    List<List<FoldNode>> of(List<Reduce> chunk, long firstRow) {
        if (chunk.stream().anyMatch(reduce -> !reduce.device().isCpu())) {
            return evaluated(chunk, firstRow, Map.of());
        }
        Optional<Pieces> pieces = Pieces.of(chunk);
        return pieces.isPresent() ? inPieces(pieces.get(), firstRow) : whole(chunk, firstRow);
    }

    private List<List<FoldNode>> evaluated(List<Reduce> chunk, long firstRow, Map<Tensor, Tensor> shared) {
        try (CudaEvaluation evaluation = new CudaEvaluation(gpu, shared)) {
            ChunkNodes nodes = evaluation.partials(chunk, firstRow);
            try {
                return nodes.read(chunk);
            } finally {
                nodes.numbers().release();
            }
        }
    }

    private List<List<FoldNode>> whole(List<Reduce> chunk, long firstRow) {
        try {
            return evaluated(chunk, firstRow, Map.of());
        } catch (CudaException e) {
            e.requireOutOfMemory();
            return onCpu(chunk, firstRow);
        }
    }

    private static List<List<FoldNode>> onCpu(List<Reduce> chunk, long firstRow) {
        GpuCounter.ON_CPU_FOR_MEMORY.add(1);
        return DeviceWork.cpu().partials(chunk, firstRow);
    }

    private List<List<FoldNode>> inPieces(Pieces pieces, long firstRow) {
        long endRow = firstRow + pieces.rows();
        List<RowFold> folds = pieces.chunk().stream()
                .map(reduce -> RowFold.of(reduce, endRow))
                .toList();
        long rows = pieces.rowsEach();
        try (SharedOperands shared = new SharedOperands(gpu, pieces.shared())) {
            long first = firstRow;
            while (first < endRow) {
                long end = rows == 0 ? endRow : end(first, rows, endRow);
                List<Reduce> part = pieces.rows(first - firstRow, end - firstRow);
                try {
                    push(rows == 0 ? onCpu(part, first) : evaluated(part, first, shared.copies()), folds);
                    first = end;
                } catch (CudaException e) {
                    e.requireOutOfMemory(); // neither would the others fit
                    rows = Long.highestOneBit((end - first) / 2);
                    GpuCounter.HALVED.add(rows == 0 ? 0 : 1);
                }
            }
        }
        return folds.stream().map(RowFold::nodes).toList();
    }

    /** A piece is one node, but at the ends. */
    private static long end(long first, long rows, long endRow) {
        return Math.min(endRow, (first / rows + 1) * rows);
    }

    /** Reductions over rows that go to the device at a time, with so many rows of the whole tensor before them. */
    record Part(List<Reduce> chunk, long firstRow) {}

    /** How a chunk over tensors of this JVM goes there, where there is memory for it. */
    static List<Part> parts(List<Reduce> chunk, long firstRow) {
        Optional<Pieces> found = Pieces.of(chunk);
        if (found.isEmpty()) {
            return List.of(new Part(chunk, firstRow));
        }
        Pieces pieces = found.get();
        long endRow = firstRow + pieces.rows();
        List<Part> parts = new ArrayList<>();
        for (long first = firstRow; first < endRow; first = end(first, pieces.rowsEach(), endRow)) {
            long end = end(first, pieces.rowsEach(), endRow);
            parts.add(new Part(pieces.rows(first - firstRow, end - firstRow), first));
        }
        return parts;
    }

    private static void push(List<List<FoldNode>> nodes, List<RowFold> folds) {
        for (int i = 0; i < folds.size(); i++) {
            nodes.get(i).forEach(folds.get(i)::push);
        }
    }

    /** Reductions whose operands' rows can be computed by themselves, with the cut of each; it is the same for the same operand. */
    private record Pieces(List<Reduce> chunk, List<RowCut> cuts) {
        static Optional<Pieces> of(List<Reduce> chunk) {
            Map<Expr, Optional<RowCut>> known = new IdentityHashMap<>();
            List<RowCut> cuts = new ArrayList<>();
            for (Reduce reduce : chunk) {
                Optional<RowCut> cut = known.computeIfAbsent(reduce.operand(), RowCut::of);
                if (cut.isEmpty()
                        || cut.get().rows() != chunk.get(0).operand().shape().size(0)) {
                    return Optional.empty();
                }
                cuts.add(cut.get());
            }
            return chunk.isEmpty() ? Optional.empty() : Optional.of(new Pieces(chunk, cuts));
        }

        long rows() {
            return cuts.get(0).rows();
        }

        long rowBytes() {
            return cuts.stream().distinct().mapToLong(RowCut::rowBytes).sum();
        }

        long rowsEach() {
            return Long.highestOneBit(Math.max(1, PIECE_BYTES / Math.max(1, rowBytes())));
        }

        List<Tensor> shared() {
            return cuts.stream()
                    .distinct()
                    .flatMap(cut -> cut.shared().stream())
                    .toList();
        }

        /** The reductions of some of the rows; what they share is shared. */
        List<Reduce> rows(long first, long end) {
            Map<Tensor, Tensor> parts = new IdentityHashMap<>();
            Map<RowCut, Expr> operands = new IdentityHashMap<>();
            List<Reduce> part = new ArrayList<>();
            for (int i = 0; i < cuts.size(); i++) {
                Expr operand = operands.computeIfAbsent(cuts.get(i), cut -> cut.rows(first, end, parts));
                part.add((Reduce) chunk.get(i).withChildren(List.of(operand)));
            }
            return part;
        }
    }
}
