package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.expr.ops.Join;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Writes {@link ScanLoops} as Java for one join and one type of accumulator, for the reasons of {@link FoldRenderer}. */
public final class ScanRenderer {
    private static final String CLASS_NAME = "io.github.broadloom.kernel.Scan";
    private static final Map<String, ScanLoops> COMPILED = new ConcurrentHashMap<>();

    private static final String ONE_COMPONENT = """
            package io.github.broadloom.kernel;

            public final class Scan implements io.github.broadloom.cpu.reduce.ScanLoops {

                private static TYPE join(TYPE a, TYPE b) {
                    return JOIN;
                }

                public void join(Object one, Object other, Object into, int count) {
                    TYPE[] a = (TYPE[]) one;
                    TYPE[] b = (TYPE[]) other;
                    TYPE[] c = (TYPE[]) into;
                    for (int k = 0; k < count; k++) {
                        c[k] = join(a[k], b[k]);
                    }
                }

            LINES}
            """;

    /** The stack, where the order of the joins shows: a line of neighbours is scanned by loops of its own. */
    private static final String STACKED = """
            public int line(
                    Object values, int from, int step, int count, Object blocks, Object prefixes, int depth, long row) {
                TYPE[] line = (TYPE[]) values;
                TYPE[] block = (TYPE[]) blocks;
                TYPE[] prefix = (TYPE[]) prefixes;
                return step == 1
                        ? lineOfNeighbours(line, from, 1, count, block, prefix, depth, row)
                        : lineInSteps(line, from, step, count, block, prefix, depth, row);
            }

            private static int push(TYPE value, long index, TYPE[] block, TYPE[] prefix, int depth) {
                TYPE merged = value;
                int top = depth;
                for (long k = index; (k & 1) == 1; k >>= 1) {
                    top--;
                    merged = join(block[top], merged);
                }
                block[top] = merged;
                prefix[top] = top == 0 ? merged : join(prefix[top - 1], merged);
                return top + 1;
            }
            """;

    /**
     * Eight neighbours that are a block are joined over local variables, most of them independently of each other, and of
     * eight such blocks only the prefixes that end with them wait for each other.
     */
    private static final String LINES = """
            private static int lineNAME(
                    TYPE[] line, int from, int step, int count, TYPE[] block, TYPE[] prefix, int depth, long row) {
                int top = depth;
                TYPE[] ends = count < 64 ? null : new TYPE[8];
                int at = from;
                int i = 0;
                while (i < count) {
                    long next = row + i;
                    if ((next & 63) == 0 && count - i >= 64) {
                        top = eightsNAME(line, at, step, block, prefix, top, next >> 6, ends);
                        i += 64;
                        at += 64 * STEP;
                    } else if ((next & 7) == 0 && count - i >= 8) {
                        top = eightNAME(line, at, step, block, prefix, top, next >> 3);
                        i += 8;
                        at += 8 * STEP;
                    } else {
                        top = push(line[at], next, block, prefix, top);
                        line[at] = prefix[top - 1];
                        i++;
                        at += STEP;
                    }
                }
                return top;
            }

            /** Eight blocks of eight, which are a block. */
            private static int eightsNAME(
                    TYPE[] line, int at, int step, TYPE[] block, TYPE[] prefix, int depth, long index, TYPE[] ends) {
                TYPE before = depth == 0 ? 0 : prefix[depth - 1];
                for (int j = 0; j < 8; j++) {
                    ends[j] = joinedNAME(line, at + 8 * j * STEP, step);
                }
                int top = eightNAME(ends, 0, 1, block, prefix, depth, index);
                fillNAME(line, at, step, depth == 0, before, ends[0]);
                for (int j = 1; j < 8; j++) {
                    fillNAME(line, at + 8 * j * STEP, step, false, ends[j - 1], ends[j]);
                }
                return top;
            }

            private static int eightNAME(
                    TYPE[] line, int at, int step, TYPE[] block, TYPE[] prefix, int depth, long index) {
                TYPE before = depth == 0 ? 0 : prefix[depth - 1];
                int top = push(joinedNAME(line, at, step), index, block, prefix, depth);
                fillNAME(line, at, step, depth == 0, before, prefix[top - 1]);
                return top;
            }

            private static TYPE joinedNAME(TYPE[] line, int at, int step) {
                TYPE first = join(
                        join(line[at], line[at + STEP]), join(line[at + 2 * STEP], line[at + 3 * STEP]));
                TYPE second = join(
                        join(line[at + 4 * STEP], line[at + 5 * STEP]),
                        join(line[at + 6 * STEP], line[at + 7 * STEP]));
                return join(first, second);
            }

            /** The prefixes of a block of eight, of which the last is known. */
            private static void fillNAME(TYPE[] line, int at, int step, boolean begins, TYPE before, TYPE last) {
                TYPE v0 = line[at];
                TYPE v1 = join(v0, line[at + STEP]);
                TYPE v2 = line[at + 2 * STEP];
                TYPE v3 = join(v1, join(v2, line[at + 3 * STEP]));
                TYPE v4 = line[at + 4 * STEP];
                TYPE v5 = join(v4, line[at + 5 * STEP]);
                TYPE p1 = begins ? v1 : join(before, v1);
                TYPE p3 = begins ? v3 : join(before, v3);
                TYPE p5 = join(p3, v5);
                line[at] = begins ? v0 : join(before, v0);
                line[at + STEP] = p1;
                line[at + 2 * STEP] = join(p1, v2);
                line[at + 3 * STEP] = p3;
                line[at + 4 * STEP] = join(p3, v4);
                line[at + 5 * STEP] = p5;
                line[at + 6 * STEP] = join(p5, line[at + 6 * STEP]);
                line[at + 7 * STEP] = last;
            }
            """;

    /** Integers are exact in any order, so one block, of all rows so far, is the whole stack. */
    private static final String ONE_BY_ONE = """
            public int line(
                    Object values, int from, int step, int count, Object blocks, Object prefixes, int depth, long row) {
                if (count == 0) {
                    return depth;
                }
                TYPE[] line = (TYPE[]) values;
                TYPE[] prefix = (TYPE[]) prefixes;
                TYPE total = depth == 0 ? line[from] : join(prefix[0], line[from]);
                line[from] = total;
                int at = from;
                for (int i = 1; i < count; i++) {
                    at += step;
                    total = join(total, line[at]);
                    line[at] = total;
                }
                prefix[0] = total;
                return 1;
            }
            """;

    /** So are choices. */
    private static final String TWO_COMPONENTS = """
            package io.github.broadloom.kernel;

            public final class Scan implements io.github.broadloom.cpu.reduce.ScanLoops {

                public void join(Object one, Object other, Object into, int count) {
                    TYPE[] a = (TYPE[]) one;
                    TYPE[] b = (TYPE[]) other;
                    TYPE[] c = (TYPE[]) into;
                    for (int k = 0; k < count; k += 2) {
                        join(a, k, b, k, c, k, 0, 0);
                    }
                }

            PAIRS

                public int line(
                        Object values, int from, int step, int count, Object blocks, Object prefixes, int depth, long row) {
                    if (count == 0) {
                        return depth;
                    }
                    TYPE[] line = (TYPE[]) values;
                    TYPE[] prefix = (TYPE[]) prefixes;
                    int at = from;
                    TYPE a0 = depth == 0 ? line[at] : prefix[0];
                    TYPE a1 = depth == 0 ? line[at + 1] : prefix[1];
                    for (int i = 0; i < count; i++) {
                        TYPE b0 = line[at];
                        TYPE b1 = line[at + 1];
                        TYPE c0;
                        TYPE c1;
                        JOIN
                        a0 = c0;
                        a1 = c1;
                        line[at] = a0;
                        line[at + 1] = a1;
                        at += step;
                    }
                    prefix[0] = a0;
                    prefix[1] = a1;
                    return 1;
                }
            }
            """;

    private ScanRenderer() {}

    /**
     * The loops for one join, of two components only if it chooses one of the two.
     *
     * @param type {@code double} or {@code long}
     */
    public static ScanLoops loops(Join join, String type) {
        return COMPILED.computeIfAbsent(
                join + type, key -> SourceCompiler.compile(CLASS_NAME, render(join, type), ScanLoops.class));
    }

    private static String render(Join join, String type) {
        String source = join.components() == 2
                ? TWO_COMPONENTS.replace("PAIRS\n", FoldRenderer.PAIRS.indent(4))
                : ONE_COMPONENT.replace("LINES", lines(type));
        return source.replace("JOIN", join.java()).replace("TYPE", type);
    }

    /** C2 checks the bounds of neighbours once for all eight. */
    private static String lines(String type) {
        String lines = type.equals("long")
                ? ONE_BY_ONE
                : STACKED
                        + LINES.replace("NAME", "OfNeighbours").replace("STEP", "1")
                        + LINES.replace("NAME", "InSteps").replace("STEP", "step");
        return lines.indent(4);
    }
}
