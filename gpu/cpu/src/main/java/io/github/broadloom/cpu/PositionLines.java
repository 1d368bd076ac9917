package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;

/**
 * The innermost stage of a {@link RowPipeline} for the place of the smallest or greatest of a stretch of neighbours: nearly every value is neither, which one comparison
 * tells; pairs of values and places are made for what a stretch leaves alone. Of equal values the first counts, and the first NaN before all.
 *
 * <p>The greatest is the smallest of what is turned round: negated, and of integers complemented.
 */
final class PositionLines implements TileLoop.Sink {
    private static final int COMPONENTS = 2;

    private final DType dtype;
    private final boolean turned;
    private final long count;
    private final long elementsBefore;
    private final RowPipeline.Output next;
    private final Object pairs;
    private final Best best;
    private long position;

    /** @param count how long a stretch is; at most {@code most} values come at a time */
    PositionLines(
            Reduce reduce,
            Accumulators accumulators,
            DType dtype,
            long count,
            long elementsBefore,
            int most,
            RowPipeline.Output next) {
        this.dtype = dtype;
        this.turned = reduce.reduction().join() == Join.FIRST_MAX;
        this.count = count;
        this.elementsBefore = elementsBefore;
        this.next = next;
        this.pairs = accumulators.allocate(Math.toIntExact(COMPONENTS * (most / count + 2)));
        this.best = pairs instanceof double[] doubles ? new Doubles(doubles, most) : new Longs((long[]) pairs, most);
    }

    @Override
    public void accept(Object elements, int length, TileCursor tile) {
        best.read(elements, length);
        long before = elementsBefore + tile.firstElement();
        int found = 0;
        int at = 0;
        while (at < length) {
            int end = at + (int) Math.min(length - at, count - position);
            best.search(at, end, before, position == 0);
            position += end - at;
            at = end;
            if (position == count) {
                best.finish(COMPONENTS * found++);
                position = 0;
            }
        }
        if (found > 0) {
            next.accept(pairs, 0, COMPONENTS * found);
        }
    }

    /** The best value of a stretch so far and its place. */
    private interface Best {
        void read(Object elements, int length);

        /** @param begins whether a stretch begins here, of which the first value is the best so far */
        void search(int from, int end, long placeOfZero, boolean begins);

        /** Puts the pair there. */
        void finish(int at);
    }

    private final class Doubles implements Best {
        private final double[] pairs;
        private final double[] values;
        private double best;
        private long place;

        Doubles(double[] pairs, int most) {
            this.pairs = pairs;
            this.values = new double[most];
        }

        @Override
        public void read(Object elements, int length) {
            WideElements.read(dtype, elements, length, values);
            for (int i = 0; turned && i < length; i++) {
                values[i] = -values[i];
            }
        }

        @Override
        public void search(int from, int end, long placeOfZero, boolean begins) {
            double least = begins ? values[from] : best;
            place = begins ? placeOfZero + from : place;
            for (int i = from; i < end && !Double.isNaN(least); i++) { // nothing comes before the first NaN
                double value = values[i];
                if (!(value >= least)) {
                    least = value;
                    place = placeOfZero + i;
                }
            }
            best = least;
        }

        @Override
        public void finish(int at) {
            pairs[at] = turned ? -best : best;
            pairs[at + 1] = place;
        }
    }

    private final class Longs implements Best {
        private final long[] pairs;
        private final long[] values;
        private long best;
        private long place;

        Longs(long[] pairs, int most) {
            this.pairs = pairs;
            this.values = new long[most];
        }

        @Override
        public void read(Object elements, int length) {
            WideElements.read(dtype, elements, length, values);
            for (int i = 0; turned && i < length; i++) {
                values[i] = ~values[i];
            }
        }

        @Override
        public void search(int from, int end, long placeOfZero, boolean begins) {
            long least = begins ? values[from] : best;
            place = begins ? placeOfZero + from : place;
            for (int i = from; i < end; i++) {
                if (values[i] < least) {
                    least = values[i];
                    place = placeOfZero + i;
                }
            }
            best = least;
        }

        @Override
        public void finish(int at) {
            pairs[at] = turned ? ~best : best;
            pairs[at + 1] = place;
        }
    }
}
