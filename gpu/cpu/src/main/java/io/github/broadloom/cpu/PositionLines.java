package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.FloatingElements;
import io.github.broadloom.cpu.reduce.IntegerElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;

/**
 * The innermost stage of a {@link RowPipeline} for the place of the smallest or greatest of a stretch of neighbours: nearly every value is neither, which one comparison
 * tells; pairs of values and places are made for what a stretch leaves alone. Of equal values the first counts, and the first NaN before all.
 *
 * <p>The greatest is the smallest of what is turned round: negated, and of integers complemented.
 */
abstract class PositionLines implements TileLoop.Sink {
    private static final int COMPONENTS = 2;

    private final long count;
    private final long elementsBefore;
    private final RowPipeline.Output next;
    private final Object pairs;
    private long position;

    private PositionLines(
            Accumulators accumulators, long count, long elementsBefore, int most, RowPipeline.Output next) {
        this.count = count;
        this.elementsBefore = elementsBefore;
        this.next = next;
        this.pairs = accumulators.allocate(Math.toIntExact(COMPONENTS * (most / count + 2)));
    }

    /**
     * The stage.
     *
     * @param dtype of the values that come
     * @param count how long a stretch is
     * @param elementsBefore how many elements of the whole tensor come before
     * @param most values that come at a time
     */
    static PositionLines of(
            Reduce reduce,
            Accumulators accumulators,
            DType dtype,
            long count,
            long elementsBefore,
            int most,
            RowPipeline.Output next) {
        boolean turned = reduce.reduction().join() == Join.FIRST_MAX;
        return dtype.isFloatingPoint()
                ? new Doubles(accumulators, dtype, turned, count, elementsBefore, most, next)
                : new Longs(accumulators, dtype, turned, count, elementsBefore, most, next);
    }

    @Override
    public final void accept(Object elements, int length, long tile, long firstElement) {
        read(elements, length);
        int found = 0;
        int at = 0;
        while (at < length) {
            int end = at + (int) Math.min(length - at, count - position);
            if (position == 0) {
                begin(at, elementsBefore + firstElement + at);
            }
            search(at, end, elementsBefore + firstElement);
            position += end - at;
            at = end;
            if (position == count) {
                finish(pairs, COMPONENTS * found++);
                position = 0;
            }
        }
        if (found > 0) {
            next.accept(pairs, 0, COMPONENTS * found);
        }
    }

    abstract void read(Object elements, int length);

    /** The value at an index is the best so far. */
    abstract void begin(int index, long place);

    abstract void search(int from, int end, long placeOfZero);

    abstract void finish(Object into, int at);

    private static final class Doubles extends PositionLines {
        private final DType dtype;
        private final boolean turned;
        private final double[] values;
        private double best;
        private long place;

        Doubles(
                Accumulators accumulators,
                DType dtype,
                boolean turned,
                long count,
                long elementsBefore,
                int most,
                RowPipeline.Output next) {
            super(accumulators, count, elementsBefore, most, next);
            this.dtype = dtype;
            this.turned = turned;
            this.values = new double[most];
        }

        @Override
        void read(Object elements, int length) {
            FloatingElements.read(dtype, elements, length, values);
            for (int i = 0; turned && i < length; i++) {
                values[i] = -values[i];
            }
        }

        @Override
        void begin(int index, long at) {
            best = values[index];
            place = at;
        }

        @Override
        void search(int from, int end, long placeOfZero) {
            double least = best;
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
        void finish(Object into, int at) {
            ((double[]) into)[at] = turned ? -best : best;
            ((double[]) into)[at + 1] = place;
        }
    }

    private static final class Longs extends PositionLines {
        private final DType dtype;
        private final boolean turned;
        private final long[] values;
        private long best;
        private long place;

        Longs(
                Accumulators accumulators,
                DType dtype,
                boolean turned,
                long count,
                long elementsBefore,
                int most,
                RowPipeline.Output next) {
            super(accumulators, count, elementsBefore, most, next);
            this.dtype = dtype;
            this.turned = turned;
            this.values = new long[most];
        }

        @Override
        void read(Object elements, int length) {
            IntegerElements.read(dtype, elements, length, values);
            for (int i = 0; turned && i < length; i++) {
                values[i] = ~values[i];
            }
        }

        @Override
        void begin(int index, long at) {
            best = values[index];
            place = at;
        }

        @Override
        void search(int from, int end, long placeOfZero) {
            long least = best;
            for (int i = from; i < end; i++) {
                if (values[i] < least) {
                    least = values[i];
                    place = placeOfZero + i;
                }
            }
            best = least;
        }

        @Override
        void finish(Object into, int at) {
            ((long[]) into)[at] = turned ? ~best : best;
            ((long[]) into)[at + 1] = place;
        }
    }
}
