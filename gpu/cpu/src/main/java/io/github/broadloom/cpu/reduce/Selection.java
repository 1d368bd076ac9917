package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds medians and quantiles of lines that nobody can hold, to the bits of one that sorts them. The values come chunk by chunk, in any order, once in each pass. A pass counts, of the
 * values that may be meant, how many have each number in the next 16 bits of their sort keys, which tells the bits of those that are: so two passes find a float32, and the last 32 bits
 * of a float64 are looked for in one, as values that share 32 bits are few. Where they are many it takes one more.
 */
public final class Selection {
    static final int STEP_BITS = 16;
    private static final int LAST_BITS = 32;

    /** So many values of equal first bits come to the driver by themselves. */
    private static final long FEW = 1 << 22;

    private final List<Along> statistics;
    private final DType dtype;
    private final int bits;
    private final int lines;
    private final List<Wanted> wanted = new ArrayList<>();
    private final List<Number[]> results = new ArrayList<>();
    /** Of each line the first chunk that has a zero, and the sign of the first one in it. */
    private final int[] zeroChunks;

    private final boolean[] negativeZeros;
    private int known;
    /** How many values are left that may be meant. */
    private long candidates = Long.MAX_VALUE;

    private List<Target> targets = new ArrayList<>();

    /** @param statistics of one operand, along the same dimensions; of them only dtypes, shapes and the op are looked at */
    public Selection(List<Along> statistics) {
        Along first = statistics.get(0);
        this.statistics = List.copyOf(statistics);
        this.dtype = first.operand().dtype();
        this.bits = SortKeys.bits(dtype);
        this.lines = Math.toIntExact(first.shape().numel());
        this.zeroChunks = new int[lines];
        this.negativeZeros = new boolean[lines];
        Arrays.fill(zeroChunks, Integer.MAX_VALUE);
        for (int line = 0; line < lines; line++) {
            targets.add(new Target(line, 0, STEP_BITS));
        }
    }

    /** Whether it can be found so. */
    public static boolean finds(LineOp op) {
        return switch (op.kind()) {
            case MEDIAN, NANMEDIAN, QUANTILE, NANQUANTILE -> true;
            default -> false;
        };
    }

    /** How often the values are asked for, as a rule. */
    public static int passes(DType dtype) {
        return Math.min(3, Math.max(1, SortKeys.bits(dtype) / STEP_BITS));
    }

    /** About what a task holds, beside a line of its chunk, while it counts. */
    public static long countBytes(int lines) {
        return (long) lines * (Integer.BYTES << STEP_BITS);
    }

    /** Values of a line whose keys begin with some bits, and how often each number follows. */
    private static final class Target {
        private final int line;
        private final long prefix;
        /** By the number, where the bits that follow are few. */
        private final long @Nullable [] dense;

        private final SortedMap<Long, Long> sparse = new TreeMap<>();

        Target(int line, long prefix, int width) {
            this.line = line;
            this.prefix = prefix;
            this.dense = width > STEP_BITS ? null : new long[1 << width];
        }

        void add(long number, long count) {
            if (dense == null) {
                sparse.merge(number, count, Long::sum);
            } else {
                dense[(int) number] += count;
            }
        }

        long count(long number) {
            return dense == null ? sparse.getOrDefault(number, 0L) : dense[(int) number];
        }

        long count() {
            return dense == null
                    ? sparse.values().stream().mapToLong(Long::longValue).sum()
                    : Arrays.stream(dense).sum();
        }

        /** The number of the value that has this rank, from 0, and how many values have smaller ones. */
        long[] numberOf(long rank) {
            long before = 0;
            if (dense == null) {
                for (Map.Entry<Long, Long> each : sparse.entrySet()) {
                    if (rank < before + each.getValue()) {
                        return new long[] {each.getKey(), before};
                    }
                    before += each.getValue();
                }
            } else {
                for (int number = 0; number < dense.length; number++) {
                    if (rank < before + dense[number]) {
                        return new long[] {number, before};
                    }
                    before += dense[number];
                }
            }
            throw new IllegalStateException("Fewer values than were counted before");
        }
    }

    /** A value that is looked for, by its rank among those of a target. */
    private final class Wanted {
        private final int statistic;
        private final int line;
        private Target target;
        private long rank;
        private long key;

        Wanted(int statistic, int line, long rank) {
            this.statistic = statistic;
            this.line = line;
            this.target = targets.get(line);
            this.rank = rank;
        }

        /**
         * Takes the number that the counts tell.
         *
         * @return how many values have it
         */
        long narrow(int width) {
            long[] found = target.numberOf(rank);
            key = key << width | found[0];
            rank -= found[1];
            return target.count(found[0]);
        }

        Number value() {
            return SortKeys.value(dtype, bits == Long.SIZE ? key ^ Long.MIN_VALUE : key);
        }
    }

    /** What tasks are to count. */
    public SelectionCount question() {
        return new SelectionCount(
                dtype,
                lines,
                known,
                width(),
                targets.stream().mapToInt(target -> target.line).toArray(),
                targets.stream().mapToLong(target -> target.prefix).toArray());
    }

    private int width() {
        return bits - known == LAST_BITS && known > 0 && candidates <= FEW
                ? LAST_BITS
                : Math.min(STEP_BITS, bits - known);
    }

    /** Takes what was counted of a chunk. */
    public void push(int chunk, SelectionCount.Answer answer) {
        for (int i = 0; i < targets.size(); i++) {
            long[] numbers = answer.numbers()[i];
            for (int j = 0; j < numbers.length; j++) {
                targets.get(i).add(numbers[j], answer.counts()[i][j]);
            }
        }
        for (int line = 0; line < answer.zeros().length; line++) {
            if (answer.zeros()[line] != 0 && chunk < zeroChunks[line]) {
                zeroChunks[line] = chunk;
                negativeZeros[line] = answer.zeros()[line] < 0;
            }
        }
    }

    /**
     * Ends a pass, in which all chunks came.
     *
     * @return whether it takes another one
     */
    public boolean next() {
        int width = width();
        if (known == 0) {
            rank();
        }
        candidates = wanted.stream().mapToLong(each -> each.narrow(width)).sum();
        known += width;
        int following = width();
        Map<List<Object>, Target> next = new LinkedHashMap<>();
        for (Wanted each : wanted) {
            each.target = next.computeIfAbsent(
                    List.of(each.line, each.key), key -> new Target(each.line, each.key, following));
        }
        targets = new ArrayList<>(next.values());
        targets.sort(Comparator.comparingInt(target -> target.line)); // tasks go from line to line
        return known < bits && !wanted.isEmpty();
    }

    /** Says which values are meant, once it is known how many there are. */
    private void rank() {
        long nan = dtype.isFloatingPoint() ? nanKey() >>> (bits - Math.min(bits, STEP_BITS)) : -1;
        for (int i = 0; i < statistics.size(); i++) {
            results.add(new Number[lines]);
            LineOp op = statistics.get(i).op();
            boolean skips = op.kind() == LineOp.Kind.NANMEDIAN || op.kind() == LineOp.Kind.NANQUANTILE;
            for (int line = 0; line < lines; line++) {
                long all = targets.get(line).count();
                long numbers = all - (nan < 0 ? 0 : targets.get(line).count(nan));
                if (numbers == 0 || numbers < all && !skips) {
                    results.get(i)[line] = Double.NaN;
                } else if (isQuantile(op)) {
                    double rank = OrderStatistics.rank(op, dtype, numbers);
                    results.get(i)[line] = rank;
                    wanted.add(new Wanted(i, line, (long) rank));
                    wanted.add(new Wanted(i, line, (long) Math.ceil(rank)));
                } else {
                    wanted.add(new Wanted(i, line, (numbers - 1) / 2));
                }
            }
        }
    }

    private static boolean isQuantile(LineOp op) {
        return op.kind() == LineOp.Kind.QUANTILE || op.kind() == LineOp.Kind.NANQUANTILE;
    }

    private long nanKey() {
        Object nan = dtype.primitive().newArray(1);
        switch (dtype.primitive()) {
            case DOUBLE -> ((double[]) nan)[0] = Double.NaN;
            case FLOAT -> ((float[]) nan)[0] = Float.NaN;
            default -> ((short[]) nan)[0] = dtype.reduced().fromDouble(Double.NaN);
        }
        long[] key = new long[1];
        SortKeys.of(dtype, Order.ASCENDING, nan, 0, 1, key, 0);
        return bits == Long.SIZE ? key[0] ^ Long.MIN_VALUE : key[0];
    }

    /** The values of each statistic. */
    public List<Tensor> finish() {
        @Nullable Wanted below = null;
        for (Wanted each : wanted) {
            Number[] own = results.get(each.statistic);
            LineOp op = statistics.get(each.statistic).op();
            if (!isQuantile(op)) {
                boolean isNegativeZero = each.value().doubleValue() == 0 && negativeZeros[each.line];
                own[each.line] = isNegativeZero ? (Number) (-0.0) : each.value();
            } else if (below == null) {
                below = each;
            } else {
                double rank = own[each.line].doubleValue();
                own[each.line] = OrderStatistics.quantile(
                        op,
                        dtype,
                        rank,
                        below.value().doubleValue(),
                        each.value().doubleValue());
                below = null;
            }
        }
        List<Tensor> finished = new ArrayList<>();
        for (int i = 0; i < statistics.size(); i++) {
            Along statistic = statistics.get(i);
            Tensor result = Tensors.empty(statistic.dtype(), statistic.shape());
            Object wide = WideElements.allocate(statistic.dtype(), lines);
            for (int line = 0; line < lines; line++) {
                Number value = Objects.requireNonNull(results.get(i)[line]);
                if (wide instanceof double[] doubles) {
                    doubles[line] = value.doubleValue();
                } else {
                    ((long[]) wide)[line] = value.longValue();
                }
            }
            WideElements.write(wide, 0, 1, lines, statistic.dtype(), result.address());
            finished.add(result);
        }
        return finished;
    }
}
