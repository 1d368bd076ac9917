package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.ContractionFold;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks of what a stage goes over.
 *
 * @param domain what it goes over
 * @param cutDims the dimensions along which it is cut: none, one or two
 */
record StageCuts(
        Settings settings, Stage.Kind kind, Shape domain, int[] cutDims, List<Expr> outputs, List<Found> operands) {

    static final int TASKS_PER_SLOT = 2;
    /** What a sort takes on the heap may be so many times a chunk. */
    private static final int SORTED_CHUNKS = 4;
    /** More tasks at a time are not planned for. */
    static final int MANY_SLOTS = 1024;

    ChunkGrid grid() {
        boolean whole = kind == Stage.Kind.DRIVER || kind == Stage.Kind.WHOLE || cutDims.length == 0;
        if (whole) {
            return ChunkGrid.whole(domain);
        }
        if (cutDims.length == 1) {
            return grid(new RowGrid[] {rows(cutDims[0])});
        }
        return blocks().map(this::grid).orElseGet(this::freeGrid);
    }

    /** Along both dimensions, however operands are cut. */
    ChunkGrid freeGrid() {
        return grid(freeBlocks());
    }

    /** The cuts that the foremost operand has along both dimensions; empty where it does not have them, or not alone. */
    Optional<RowGrid[]> blocks() {
        return operands.stream()
                .filter(operand -> operand.source().grid() != null && operand.isCut(cutDims))
                .min(Comparator.comparing(Found::source, RowCuts.PRECEDENCE))
                .flatMap(this::blocks);
    }

    private Optional<RowGrid[]> blocks(Found operand) {
        RowGrid[] cuts = new RowGrid[cutDims.length];
        for (int i = 0; i < cutDims.length; i++) {
            long size = domain.size(cutDims[i]);
            KnownCuts known = known(operand, cutDims[i]);
            if (known == null || known.bounds().length == 2 || !known.coverAll(size)) {
                return Optional.empty();
            }
            cuts[i] = KnownCuts.joined(List.of(known), size);
        }
        return Optional.of(cuts);
    }

    private ChunkGrid grid(RowGrid[] cuts) {
        RowGrid[] along = new RowGrid[Arrays.stream(cutDims).max().orElse(0) + 1];
        Arrays.setAll(along, d -> RowGrid.whole(domain.size(d)));
        for (int i = 0; i < cuts.length; i++) {
            along[cutDims[i]] = cuts[i];
        }
        return ChunkGrid.of(domain, along);
    }

    private RowGrid rows(int dim) {
        List<RowCuts.Follower> followers = operands.stream()
                .filter(operand -> operand.access().follows(dim))
                .map(operand -> new RowCuts.Follower(operand.source(), known(operand, dim), indexBytes(operand, dim)))
                .toList();
        long outputBytes = outputs.stream()
                .mapToLong(output -> outputBytes(output, dim))
                .max()
                .orElse(0);
        RowGrid rows = new RowCuts(settings, domain.size(dim), followers).of(outputs, outputBytes);
        return outputs.get(0) instanceof Contraction product && kind == Stage.Kind.FOLD
                ? rows.rounded(ContractionFold.alignment(product))
                : rows;
    }

    /** Of one index of a dimension. */
    private long outputBytes(Expr output, int dim) {
        return switch (kind) {
            case FOLD, SELECT -> 0;
            case SORT -> Math.max(output.dtype().bytes(), Along.SORTED_BYTES / SORTED_CHUNKS);
            case CHUNKS -> Sizes.indexBytes(output.dtype(), output.shape(), dim);
            default -> Sizes.indexBytes(output.dtype(), domain, dim);
        };
    }

    private @Nullable KnownCuts known(Found operand, int dim) {
        @Nullable ChunkGrid own = operand.source().grid();
        return own == null ? null : operand.access().cuts(own, dim, domain.size(dim));
    }

    /** Of segments the longest, for chunks have whole ones. */
    private long indexBytes(Found operand, int dim) {
        if (operand.access() instanceof SpanAccess spanned && spanned.isOfSegments(dim)) {
            return Sizes.bytes(operand.source().dtype(), spanned.most(domain.with(dim, 1)));
        }
        return operand.wholeBytes(domain) / Math.max(1, operand.access().extent(dim, domain.size(dim)));
    }

    /**
     * Blocks whose results are as large as chunks are, or smaller ones where those are too few to share the work. They are so proportioned that the operands are
     * read as little as may be: what follows the first dimension alone is read once for every cut of the second, and the other way round, so the sum of both is
     * least where a block has as many bytes of the one as of the other.
     */
    private RowGrid[] freeBlocks() {
        int first = cutDims[0];
        int second = cutDims[1];
        double pairs = (double) domain.size(first) * domain.size(second);
        Expr output = outputs.get(0);
        RowGrid[] byBytes = freeBlocks(Sizes.bytes(output) / pairs);
        if (chunks(byBytes) >= (long) TASKS_PER_SLOT * Math.min(settings.slots(), MANY_SLOTS)) {
            return byBytes;
        }
        RowGrid[] byWork = freeBlocks(Sizes.workBytes(outputs, domain.size(first)) / (double) domain.size(second));
        return chunks(byWork) > chunks(byBytes) ? byWork : byBytes;
    }

    private static long chunks(RowGrid[] blocks) {
        return (long) blocks[0].chunks() * blocks[1].chunks();
    }

    private RowGrid[] freeBlocks(double pairBytes) {
        int first = cutDims[0];
        int second = cutDims[1];
        double wanted = Math.max(1, settings.chunkBytes() / Math.max(pairBytes, 1e-9));
        double firstBytes = indexBytesAlone(first, second);
        double secondBytes = indexBytesAlone(second, first);
        double along = Math.sqrt(wanted * Math.max(1, secondBytes) / Math.max(1, firstBytes));
        long rows = size(along, domain.size(first));
        long columns = size(wanted / rows, domain.size(second));
        rows = size(wanted / columns, domain.size(first)); // where there are fewer columns than wanted
        return new RowGrid[] {RowGrid.ofRows(domain.size(first), rows), RowGrid.ofRows(domain.size(second), columns)};
    }

    /** The power of two next to what is wanted: a fold then has few partial results. */
    private static long size(double wanted, long most) {
        long rounded = 1L << Math.max(0, Math.round(Math.log(Math.max(1, wanted)) / Math.log(2)));
        return Math.max(1, Math.min(most, rounded));
    }

    /** The bytes of one index along {@code dim} of all operands that follow it and not the other. */
    private double indexBytesAlone(int dim, int other) {
        double bytes = 0;
        for (Found operand : operands) {
            if (operand.access().follows(dim) && !operand.access().follows(other)) {
                bytes += (double) operand.source().sizeBytes() / domain.size(dim);
            }
        }
        return bytes;
    }
}
