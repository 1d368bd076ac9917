package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts what a stage goes over along two dimensions into blocks. A block is as large as chunks are, and so proportioned that the operands are read as
 * little as may be: what follows the first dimension alone is read once for every cut of the second, and the other way round, so the sum of both is
 * least where a block has as many bytes of the one as of the other.
 */
final class BlockCuts {
    private static final int TASKS_PER_SLOT = 2;
    /** More tasks at a time are not planned for. */
    private static final int MANY_SLOTS = 1024;

    private final Settings settings;
    private final Shape domain;
    private final int first;
    private final int second;
    private final List<Expr> outputs;
    private final List<Found> operands;

    BlockCuts(Settings settings, Shape domain, int[] cutDims, List<Expr> outputs, List<Found> operands) {
        this.settings = settings;
        this.domain = domain;
        this.first = cutDims[0];
        this.second = cutDims[1];
        this.outputs = outputs;
        this.operands = operands;
    }

    /** Blocks whose results are as large as chunks are, or smaller ones where those are too few to share the work. */
    ChunkGrid grid() {
        double pairs = (double) domain.size(first) * domain.size(second);
        Expr output = outputs.get(0);
        ChunkGrid byBytes = grid(Sizes.bytes(output.dtype(), output.shape()) / pairs);
        if (byBytes.chunks() >= (long) TASKS_PER_SLOT * Math.min(settings.slots(), MANY_SLOTS)) {
            return byBytes;
        }
        ChunkGrid byWork = grid(Sizes.workBytes(outputs, domain.size(first)) / (double) domain.size(second));
        return byWork.chunks() > byBytes.chunks() ? byWork : byBytes;
    }

    private ChunkGrid grid(double pairBytes) {
        double wanted = Math.max(1, settings.chunkBytes() / Math.max(pairBytes, 1e-9));
        double firstBytes = indexBytes(first, second);
        double secondBytes = indexBytes(second, first);
        double along = Math.sqrt(wanted * Math.max(1, secondBytes) / Math.max(1, firstBytes));
        long rows = size(along, domain.size(first));
        long columns = size(wanted / rows, domain.size(second));
        rows = size(wanted / columns, domain.size(first)); // where there are fewer columns than wanted
        RowGrid[] cuts = new RowGrid[Math.max(first, second) + 1];
        Arrays.setAll(cuts, d -> RowGrid.whole(domain.size(d)));
        cuts[first] = RowGrid.ofRows(domain.size(first), rows);
        cuts[second] = RowGrid.ofRows(domain.size(second), columns);
        return ChunkGrid.of(domain, cuts);
    }

    /** The power of two next to what is wanted: a fold then has few partial results. */
    private static long size(double wanted, long most) {
        long rounded = 1L << Math.max(0, Math.round(Math.log(Math.max(1, wanted)) / Math.log(2)));
        return Math.max(1, Math.min(most, rounded));
    }

    /** The bytes of one index along {@code dim} of all operands that follow it and not the other. */
    private double indexBytes(int dim, int other) {
        double bytes = 0;
        for (Found operand : operands) {
            if (operand.access().follows(dim) && !operand.access().follows(other)) {
                bytes += (double) operand.source().sizeBytes() / domain.size(dim);
            }
        }
        return bytes;
    }
}
