package io.github.broadloom.spark;

import io.github.broadloom.tensor.MemoryFigures;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Broadloom's off-heap memory in each JVM of a Spark application, as a small table when printed.
 *
 * @param figures by Spark's name for the JVM: {@code driver}, and the numbers of the executors; in local mode the driver is all there is
 */
public record ClusterMemory(Map<String, MemoryFigures> figures) {
    private static final double MEBIBYTE = 1 << 20;

    public ClusterMemory {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }

    /** The sums. */
    public MemoryFigures total() {
        return figures.values().stream().reduce(MemoryFigures.NONE, MemoryFigures::plus);
    }

    /** One line for each JVM and one for their sum: sizes in MiB; how many large buffers were used again, and how many took fresh pages. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        table.append(row("", "held", "at most", "pooled", "limit", "reused", "fresh", "fresh"));
        figures.forEach((name, jvm) -> table.append(row(name, jvm)));
        if (figures.size() > 1) {
            table.append(row("total", total()));
        }
        return table.toString();
    }

    private static String row(String name, MemoryFigures jvm) {
        return row(
                name,
                mebibytes(jvm.heldBytes()),
                mebibytes(jvm.peakBytes()),
                mebibytes(jvm.pooledBytes()),
                mebibytes(jvm.limitBytes()),
                jvm.hits(),
                jvm.misses(),
                mebibytes(jvm.freshBytes()));
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-8s %11s %11s %11s %11s %10s %8s %11s%n", cells);
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
