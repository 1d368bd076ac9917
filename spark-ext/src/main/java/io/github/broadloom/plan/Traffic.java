package io.github.broadloom.plan;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The bytes that a plan moves, against the least that any plan could: each element of every operand read once, and the result left once.
 *
 * <p>A byte counts each time a task takes it in, wherever it comes from, and whether or not the task needs it: of chunks on the cluster whole ones are taken, of files whole rows or what {@link Source#costBytes} says. What is copied to every executor counts
 * once for each. What is shuffled counts as it is read from its source, as it is written for the shuffle, and as it is read again. Chunks of an earlier stage count where
 * they are kept; else a task computes them for itself, which moves nothing but what that stage reads, as often as they are computed.
 *
 * @param operandBytes by the strategy with which operands come to the tasks
 * @param partialBytes of partial results of folds and scans: through shuffles where tasks join them, to the driver, and of scans back
 * @param resultBytes of the result
 * @param leastBytes the least that could be moved
 * @param shufflePieces the pieces in which all shuffles together move what they move
 */
public record Traffic(
        Map<Strategy, Long> operandBytes, long partialBytes, long resultBytes, long leastBytes, long shufflePieces) {
    public Traffic {
        Map<Strategy, Long> copy = new EnumMap<>(Strategy.class);
        copy.putAll(operandBytes);
        operandBytes = copy;
    }

    /** What a plan moves on a cluster with so many executors. */
    public static Traffic of(Plan plan, int executors) {
        return new TrafficCount(plan, executors).traffic();
    }

    public long bytes(Strategy strategy) {
        return operandBytes.getOrDefault(strategy, 0L);
    }

    public long movedBytes() {
        long operands =
                operandBytes.values().stream().mapToLong(Long::longValue).reduce(0, Sizes::sum);
        return Sizes.sum(Sizes.sum(operands, partialBytes), resultBytes);
    }

    /** How many times the least is moved; 1 where nothing moves. */
    public double timesLeast() {
        return leastBytes == 0 ? 1 : movedBytes() / (double) leastBytes;
    }

    /** A line for each strategy that moves anything, for partial results and the result; then the sum beside the least. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        operandBytes.forEach((strategy, bytes) -> row(table, strategy.toString(), bytes));
        row(table, "partial results", partialBytes);
        row(table, "result", resultBytes);
        row(table, "moved", movedBytes());
        row(table, "the least", leastBytes);
        table.append(String.format(Locale.ROOT, "%.2f times the least", timesLeast()));
        if (shufflePieces > 0) {
            table.append(String.format(Locale.ROOT, "; %,d pieces are shuffled", shufflePieces));
        }
        return table.toString();
    }

    private static void row(StringBuilder table, String what, long bytes) {
        if (bytes > 0) {
            table.append(String.format(Locale.ROOT, "%-15s %12s%n", what, Figures.bytes(bytes)));
        }
    }
}
