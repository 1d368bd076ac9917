package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Order;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What tasks count for a {@link Selection}: of the values of a line whose keys have some bits before, those with each number in the next ones.
 *
 * @param known how many bits come before
 * @param width how many come next
 * @param targets the line of each
 * @param prefixes the bits before
 */
public record SelectionCount(DType dtype, int lines, int known, int width, int[] targets, long[] prefixes)
        implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int PIECE = 4096;

    /**
     * Counts in a task.
     *
     * @param value the operand of the statistics, of a chunk of rows
     */
    public Answer of(Along part, Tensor value) {
        int[] dims = part.dims();
        boolean whole = dims.length != 1;
        Tensor source = whole ? value.contiguous() : value;
        Layout layout = whole ? source.flatten().layout() : source.layout();
        LineReader reader = new LineReader(
                source, layout.movedim(whole ? 0 : dims[0], layout.shape().rank() - 1));
        int length = Math.toIntExact(part.lineLength());
        MemoryMeter.array((long) length * dtype.bytes());
        long[][] numbers = new long[targets.length][];
        long[][] counts = new long[targets.length][];
        byte[] zeros = new byte[known == 0 ? lines : 0];
        int target = 0;
        for (int line = 0; line < lines && length > 0; line++) {
            int first = target;
            while (target < targets.length && targets[target] == line) {
                target++;
            }
            if (target > first) {
                reader.read(line);
                count(reader.line(), length, first, target, numbers, counts);
                if (known == 0 && dtype.isFloatingPoint()) {
                    zeros[line] = firstZero(reader.line(), length);
                }
            }
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = numbers[i] == null ? new long[0] : numbers[i];
            counts[i] = counts[i] == null ? new long[0] : counts[i];
        }
        if (source.storage() != value.storage()) {
            source.storage().release();
        }
        return new Answer(numbers, counts, zeros);
    }

    private void count(Object line, int length, int first, int last, long[][] numbers, long[][] counts) {
        int bits = SortKeys.bits(dtype);
        int below = bits - known - width;
        long mask = (1L << width) - 1;
        long turned = bits == Long.SIZE ? Long.MIN_VALUE : 0;
        long[] keys = new long[PIECE];
        Counter[] counters = new Counter[last - first];
        Arrays.setAll(counters, i -> Counter.of(width));
        for (int at = 0; at < length; at += PIECE) {
            int count = Math.min(PIECE, length - at);
            SortKeys.of(dtype, Order.ASCENDING, line, at, count, keys, 0);
            for (int i = 0; i < counters.length; i++) {
                long prefix = prefixes[first + i];
                for (int k = 0; k < count; k++) {
                    long key = keys[k] ^ turned;
                    if (known == 0 || key >>> (bits - known) == prefix) {
                        counters[i].add(key >>> below & mask);
                    }
                }
            }
        }
        for (int i = 0; i < counters.length; i++) {
            counters[i].into(numbers, counts, first + i);
        }
    }

    private byte firstZero(Object line, int length) {
        for (int i = 0; i < length; i++) {
            double value = switch (dtype.primitive()) {
                case DOUBLE -> ((double[]) line)[i];
                case FLOAT -> ((float[]) line)[i];
                default -> (((short[]) line)[i] & 0x7fff) == 0 ? ((short[]) line)[i] < 0 ? -0.0 : 0.0 : 1;
            };
            if (value == 0) {
                return (byte) (1 / value < 0 ? -1 : 1);
            }
        }
        return 0;
    }

    /** What was counted of a chunk: for each target the numbers that are there, ascending, and how often; of each line the sign of its first zero, or 0. */
    public record Answer(long[][] numbers, long[][] counts, byte[] zeros) implements Serializable {
        private static final long serialVersionUID = 1L;

        public long sizeBytes() {
            return Arrays.stream(numbers)
                            .mapToLong(each -> 2L * Long.BYTES * each.length)
                            .sum()
                    + zeros.length;
        }
    }

    /** How often numbers were seen. */
    private sealed interface Counter {
        static Counter of(int width) {
            return width > Selection.STEP_BITS ? new Few() : new Dense(new int[1 << width]);
        }

        void add(long number);

        void into(long[][] numbers, long[][] counts, int at);

        /** Of few bits. */
        record Dense(int[] counts) implements Counter {
            @Override
            public void add(long number) {
                counts[(int) number]++;
            }

            @Override
            public void into(long[][] numbers, long[][] all, int at) {
                int seen =
                        (int) Arrays.stream(counts).filter(count -> count > 0).count();
                numbers[at] = new long[seen];
                all[at] = new long[seen];
                int next = 0;
                for (int number = 0; number < counts.length; number++) {
                    if (counts[number] > 0) {
                        numbers[at][next] = number;
                        all[at][next++] = counts[number];
                    }
                }
            }
        }

        /** Of many bits, few times. */
        final class Few implements Counter {
            private long[] seen = new long[16];
            private int count;

            @Override
            public void add(long number) {
                if (count == seen.length) {
                    seen = Arrays.copyOf(seen, 2 * count);
                }
                seen[count++] = number;
            }

            @Override
            public void into(long[][] numbers, long[][] counts, int at) {
                Arrays.sort(seen, 0, count);
                long[] own = new long[count];
                long[] times = new long[count];
                int distinct = 0;
                for (int i = 0; i < count; i++) {
                    if (distinct == 0 || own[distinct - 1] != seen[i]) {
                        own[distinct++] = seen[i];
                    }
                    times[distinct - 1]++;
                }
                numbers[at] = Arrays.copyOf(own, distinct);
                counts[at] = Arrays.copyOf(times, distinct);
            }
        }
    }
}
