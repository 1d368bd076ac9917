package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.ReductionOrder;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The folds of a reduction, in its {@linkplain ReductionOrder order}. */
final class FoldOrder {

    /**
     * One fold.
     *
     * @param dims which of the dimensions that the folds before it leave
     * @param leaf what its tree stands on
     */
    record Fold(boolean[] dims, Leaf leaf) {
        /** The dimensions that it leaves. */
        Shape rest(Shape shape) {
            Shape rest = shape;
            for (int dim = dims.length - 1; dim >= 0; dim--) {
                rest = dims[dim] ? rest.without(dim) : rest;
            }
            return rest;
        }
    }

    /** Where as many values of a row are folded together, there is no need to fold those of several. */
    private static final long LONG_ROW = 256;

    private record Stretch(List<Integer> dims, Leaf leaf) {}

    private final Shape shape;
    private final boolean[] reduced;
    private final ReductionOrder order;

    private FoldOrder(FoldType type) {
        Reduce reduce = type.reductions().get(0);
        this.shape = reduce.operand().shape();
        this.reduced = new boolean[shape.rank()];
        this.order = ReductionOrder.of(shape, reduce.dims(), type.isMoments());
        Arrays.stream(reduce.dims()).forEach(dim -> reduced[dim] = true);
    }

    /** The folds of reductions that are computed together, the first one first. There is at least one, if only over a single value. */
    static List<Fold> of(FoldType type) {
        FoldOrder order = new FoldOrder(type);
        boolean any = type.isExact() || order.shape.numel() == 0;
        return any ? List.of(new Fold(order.reduced, Leaf.VALUE)) : order.folds();
    }

    /** As {@link #of}, of a chunk of rows: the last fold takes those, and be it a single one. A scalar is a row, too. */
    static List<Fold> ofRows(FoldType type) {
        FoldOrder order = new FoldOrder(type);
        if (order.shape.rank() == 0) {
            return List.of(new Fold(order.reduced, Leaf.VALUE));
        }
        return type.isExact()
                ? order.inAnyOrder(type.reductions().get(0).reducedCount() / order.shape.size(0))
                : order.folds(order.rowsLast());
    }

    private List<Fold> inAnyOrder(long inRow) {
        if (Long.bitCount(inRow) == 1 || inRow < LONG_ROW) {
            return List.of(new Fold(reduced, Leaf.VALUE));
        }
        boolean[] inside = reduced.clone();
        inside[0] = false;
        Fold first = new Fold(inside, Leaf.VALUE);
        boolean[] rows = new boolean[first.rest(shape).rank()];
        rows[0] = true;
        return List.of(first, new Fold(rows, Leaf.VALUE));
    }

    private List<Stretch> rowsLast() {
        List<Stretch> stretches = stretches();
        leading(stretches);
        return stretches;
    }

    private List<Fold> folds() {
        boolean rows = shape.rank() > 0 && reduced[0] && shape.size(0) > 1;
        List<Stretch> stretches = rows ? rowsLast() : stretches();
        if (stretches.isEmpty()) {
            stretches.add(new Stretch(new ArrayList<>(), Leaf.VALUE));
        }
        return folds(stretches);
    }

    /** The folds of the stretches; what is reduced and has size one goes with the first. */
    private List<Fold> folds(List<Stretch> stretches) {
        List<Integer> remaining = new ArrayList<>();
        for (int dim = 0; dim < shape.rank(); dim++) {
            remaining.add(dim);
            if (reduced[dim] && shape.size(dim) == 1 && !hasRows(dim, stretches)) {
                stretches.get(0).dims().add(dim);
            }
        }
        List<Fold> folds = new ArrayList<>();
        for (Stretch stretch : stretches) {
            boolean[] dims = new boolean[remaining.size()];
            for (int i = 0; i < dims.length; i++) {
                dims[i] = stretch.dims().contains(remaining.get(i));
            }
            remaining.removeAll(stretch.dims());
            folds.add(new Fold(dims, stretch.leaf()));
        }
        return folds;
    }

    private static boolean hasRows(int dim, List<Stretch> stretches) {
        return dim == 0 && stretches.get(stretches.size() - 1).dims().contains(0);
    }

    /** The reduced stretches behind the leading dimension, from the innermost outwards. */
    private List<Stretch> stretches() {
        List<Stretch> stretches = new ArrayList<>();
        int innermost = order.stretches().size() - 1;
        for (int i = innermost; i >= 0; i--) {
            ReductionOrder.Stretch stretch = order.stretches().get(i);
            if (stretch.isReduced()) {
                Leaf leaf = i == innermost && order.isInBlocks() ? Leaf.MOMENTS : Leaf.VALUE;
                stretches.add(new Stretch(new ArrayList<>(stretch.dims()), leaf));
            }
        }
        return stretches;
    }

    /** The leading dimension goes with its neighbours where their tree has no remainder: then both are one tree. */
    private void leading(List<Stretch> stretches) {
        int last = stretches.size() - 1;
        if (last >= 0 && Long.bitCount(count(stretches.get(last).dims())) == 1 && isNeighbour(stretches.get(last))) {
            stretches.get(last).dims().add(0);
        } else {
            stretches.add(new Stretch(new ArrayList<>(List.of(0)), Leaf.VALUE));
        }
    }

    private boolean isNeighbour(Stretch stretch) {
        return IntStream.range(1, stretch.dims().get(0)).allMatch(dim -> shape.size(dim) == 1);
    }

    private long count(List<Integer> dims) {
        return dims.stream().mapToLong(shape::size).reduce(1, (a, b) -> a * b);
    }
}
