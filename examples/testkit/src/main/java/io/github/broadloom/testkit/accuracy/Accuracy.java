package io.github.broadloom.testkit.accuracy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.tensor.Device;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Measures operations batch by batch, on all processors.
 *
 * @param range which arguments are measured
 * @param device whose kernels are measured
 */
public record Accuracy(DType dtype, Range range, Device device) {
    private static final int BATCH = 1 << 20;
    private static final int SAMPLE = 1_000_000;
    private static final int WIDE_SAMPLE = 300;

    public enum Range {
        /** A million of float32, all of reduced floating dtypes, three hundred of float64. */
        SAMPLE,
        /** Every value of float32 or float16. */
        ALL
    }

    /** A line of the table, with what the operation's row permits. */
    public record Row(String op, Worst worst, int permitted) {
        public boolean isWithin() {
            return worst.ulps() <= permitted;
        }

        public String ulps() {
            return worst.ulps() == Long.MAX_VALUE ? "NaN" : String.valueOf(worst.ulps());
        }

        @Override
        public String toString() {
            return String.format(
                            Locale.ROOT,
                            "%-14s %12s %12d  %s%s",
                            op,
                            ulps(),
                            permitted,
                            worst.arguments(),
                            isWithin() ? "" : "  EXCEEDED")
                    .stripTrailing();
        }
    }

    /** @throws IllegalArgumentException for a dtype that is not floating, and for all values of float64 */
    public Accuracy {
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "Cannot measure the accuracy of " + dtype + ": it is exact; give float32, float64 or float16");
        }
        if (dtype == DType.FLOAT64 && range == Range.ALL) {
            throw new IllegalArgumentException("Cannot take all values of float64: there are 2^64; leave out --all");
        }
    }

    public List<Op> measurable() {
        return Op.all().stream().filter(this::isMeasurable).toList();
    }

    private boolean isMeasurable(Op op) {
        boolean pairs = op.arity() == 2
                && range == Range.SAMPLE
                && Measure.measurable(2).contains(op);
        boolean known = Measure.measurable(1).contains(op) || pairs;
        return known && (dtype != DType.FLOAT64 || References.hasUnary(op.name()) || References.hasBinary(op.name()));
    }

    /** The operation of that name; refused where there is none, or it cannot be measured. */
    public Op checked(String name) {
        Op op = Op.of(name);
        if (!isMeasurable(op)) {
            throw new IllegalArgumentException("Cannot measure " + name + " in " + dtype
                    + (range == Range.ALL ? " at all arguments" : "") + ": it has no reference there; measure one of "
                    + String.join(", ", measurable().stream().map(Op::name).toList()));
        }
        return op;
    }

    public long steps() {
        return range == Range.ALL && dtype == DType.FLOAT32 ? Samples.ALL_FLOATS / BATCH : 1;
    }

    /** Measures one operation; {@code step} is called after each of {@link #steps()} batches, by any thread. */
    public Row measure(Op op, Runnable step) {
        LongFunction<Worst> batch = number -> {
            Worst worst = batch(op, number);
            step.run();
            return worst;
        };
        Worst worst = LongStream.range(0, steps()).parallel().mapToObj(batch).reduce(Worst.NONE, Worst::or);
        return new Row(op.name(), worst, op.ulp());
    }

    private Worst batch(Op op, long number) {
        boolean pair = op.arity() == 2;
        Measure measure = new Measure(device);
        if (dtype == DType.FLOAT64) {
            double[] first = Samples.doubles(op.name(), WIDE_SAMPLE, 1);
            return pair
                    ? measure.wide(op, first, Samples.shuffled(Samples.doubles(op.name(), WIDE_SAMPLE, 2)))
                    : measure.wide(op, first);
        }
        if (pair) {
            float[] second = Samples.shuffled(Samples.floats(SAMPLE, 2));
            return measure.narrow(op, dtype, rounded(Samples.floats(SAMPLE, 1)), rounded(second));
        }
        if (dtype.isReducedFloatingPoint()) {
            return measure.narrow(op, dtype, Samples.all(dtype.reduced()));
        }
        return measure.narrow(
                op, dtype, range == Range.ALL ? Samples.floatsFrom(number * BATCH, BATCH) : Samples.floats(SAMPLE, 1));
    }

    /** As the dtype holds them. */
    private float[] rounded(float[] values) {
        return dtype.isReducedFloatingPoint() ? Samples.reduced(dtype.reduced(), values) : values;
    }
}
