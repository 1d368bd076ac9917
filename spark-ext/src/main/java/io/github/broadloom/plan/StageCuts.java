package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.ContractionFold;
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

    ChunkGrid grid() {
        boolean whole = kind == Stage.Kind.DRIVER || kind == Stage.Kind.WHOLE || cutDims.length == 0;
        if (whole) {
            return ChunkGrid.whole(domain);
        }
        if (cutDims.length == 1) {
            return grid(new RowGrid[] {rows(cutDims[0])});
        }
        return blocks().map(this::grid)
                .orElseGet(() -> new BlockCuts(settings, domain, cutDims, outputs, operands).grid());
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
        long outputBytes =
                kind == Stage.Kind.FOLD ? 0 : Sizes.indexBytes(outputs.get(0).dtype(), domain, dim);
        RowGrid rows = new RowCuts(settings, domain.size(dim), followers).of(outputs, outputBytes);
        return outputs.get(0) instanceof Contraction product && kind == Stage.Kind.FOLD
                ? rows.rounded(ContractionFold.alignment(product))
                : rows;
    }

    private @Nullable KnownCuts known(Found operand, int dim) {
        @Nullable ChunkGrid own = operand.source().grid();
        return own == null ? null : operand.access().cuts(own, dim, domain.size(dim));
    }

    private long indexBytes(Found operand, int dim) {
        return operand.wholeBytes(domain) / Math.max(1, operand.access().extent(dim, domain.size(dim)));
    }
}
