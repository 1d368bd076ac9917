package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where a tensor is cut into chunks, dimension by dimension from the first one.
 *
 * @param bounds for each cut dimension the ascending bounds of its chunks, from 0 to its size
 */
record Cuts(List<long[]> bounds) {
    static final Cuts NONE = new Cuts(List.of());

    Cuts {
        bounds = List.copyOf(bounds);
    }

    static Cuts of(ChunkGrid grid) {
        List<long[]> bounds = new ArrayList<>();
        for (int d = 0; d < grid.cutDims(); d++) {
            RowGrid along = grid.along(d);
            long[] dim = new long[along.chunks() + 1];
            for (int i = 0; i < along.chunks(); i++) {
                dim[i + 1] = along.end(i);
            }
            bounds.add(dim);
        }
        return new Cuts(bounds);
    }

    /** The same of a tensor with as many more dimensions of size 1 before its own. */
    Cuts behind(int dims) {
        List<long[]> shifted = new ArrayList<>(Collections.nCopies(dims, new long[] {0, 1}));
        shifted.addAll(bounds);
        return new Cuts(shifted);
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
