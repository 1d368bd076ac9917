package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * Where a tensor is cut into chunks, dimension by dimension from the first one.
 *
 * @param bounds for each cut dimension the ascending bounds of its chunks, from 0 to its size
 */
record Cuts(List<long[]> bounds) {
    /** No cut at all. */
    static final Cuts NONE = new Cuts(List.of());

    Cuts {
        bounds = List.copyOf(bounds);
    }

    /** The cuts of a grid. */
    static Cuts of(ChunkGrid grid) {
        List<long[]> bounds = new ArrayList<>();
        for (int dim = 0; dim < Math.min(grid.shape().rank(), Math.max(1, grid.cutDims())); dim++) {
            RowGrid along = grid.along(dim);
            long[] cuts = new long[along.chunks() + 1];
            for (int i = 0; i < along.chunks(); i++) {
                cuts[i + 1] = along.end(i);
            }
            bounds.add(cuts);
        }
        return new Cuts(bounds);
    }

    /** The cuts between the blocks of a source that the chunks of a stage read. */
    static Cuts between(Access access, Shape source, ChunkGrid stage) {
        List<long[]> bounds = new ArrayList<>();
        for (int dim = 0; dim < source.rank(); dim++) {
            TreeSet<Long> cuts = new TreeSet<>(List.of(0L, source.size(dim)));
            for (int along = 0;
                    along < Math.max(1, stage.cutDims()) && stage.shape().rank() > 0;
                    along++) {
                RowGrid parts = stage.along(along);
                for (int i = 0; i < parts.chunks(); i++) {
                    Box box = access.box(stage.box(0).with(along, parts.start(i), parts.end(i)));
                    cuts.add(box.start(dim));
                    cuts.add(box.end(dim));
                }
            }
            bounds.add(cuts.stream().mapToLong(Long::longValue).toArray());
        }
        return new Cuts(bounds);
    }

    /** The same of a tensor with as many more dimensions of size 1 before its own. */
    Cuts behind(int dims) {
        List<long[]> shifted = new ArrayList<>(Collections.nCopies(dims, new long[] {0, 1}));
        shifted.addAll(bounds);
        return new Cuts(shifted);
    }

    /** How many parts a dimension is cut into; one where it is not cut. */
    int parts(int dim) {
        return dim < bounds.size() ? bounds.get(dim).length - 1 : 1;
    }

    /** The part of each dimension that a picture shows at work: neither the first nor the last where there are others. */
    int shown(int dim) {
        return parts(dim) / 3;
    }

    /** A part of a dimension. */
    Span span(int dim, int part) {
        if (dim >= bounds.size()) {
            return Span.ALL;
        }
        long[] along = bounds.get(dim);
        return Span.of(along[part], along[part + 1], along[along.length - 1]);
    }

    /** All parts of a dimension that {@code span} touches, together. */
    Span covering(int dim, Span span) {
        if (dim >= bounds.size()) {
            return Span.ALL;
        }
        long[] along = bounds.get(dim);
        double size = Math.max(1, along[along.length - 1]);
        double from = 1;
        double to = 0;
        for (int i = 0; i + 1 < along.length; i++) {
            if (along[i] / size < span.to() - Span.SLIGHTLY && along[i + 1] / size > span.from() + Span.SLIGHTLY) {
                from = Math.min(from, along[i] / size);
                to = Math.max(to, along[i + 1] / size);
            }
        }
        return from < to ? new Span(from, to) : span;
    }

    /** Where lines between the parts stand, as fractions: as many as leave {@code gap} between any two of them. */
    List<Double> lines(int dim, double gap) {
        List<Double> lines = new ArrayList<>();
        if (dim < bounds.size()) {
            long[] along = bounds.get(dim);
            double size = Math.max(1, along[along.length - 1]);
            double last = 0;
            for (int i = 1; i + 1 < along.length; i++) {
                double place = along[i] / size;
                if (place - last >= gap && 1 - place >= gap) {
                    lines.add(place);
                    last = place;
                }
            }
        }
        return lines;
    }
}
