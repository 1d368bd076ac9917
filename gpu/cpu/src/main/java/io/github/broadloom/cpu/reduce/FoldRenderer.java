package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.expr.ops.Join;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes {@link FoldLoops} as Java for one join and one type of accumulator. Written out for each, because one class
 * that called a different operation each time would not be vectorised.
 */
public final class FoldRenderer {
    private static final String CLASS_NAME = "io.github.broadloom.kernel.Fold";
    private static final Map<String, FoldLoops> COMPILED = new ConcurrentHashMap<>();

    /** The join of two accumulators of two components. */
    static final String PAIRS = """
            private static void join(
                    TYPE[] a, int i, TYPE[] b, int j, TYPE[] c, int k, double share, double spread) {
                TYPE a0 = a[i];
                TYPE a1 = a[i + 1];
                TYPE b0 = b[j];
                TYPE b1 = b[j + 1];
                TYPE c0;
                TYPE c1;
                JOIN
                c[k] = c0;
                c[k + 1] = c1;
            }
            """;

    private static final String ONE_COMPONENT = """
            package io.github.broadloom.kernel;

            public final class Fold implements io.github.broadloom.cpu.reduce.FoldLoops {

                private static TYPE join(TYPE a, TYPE b) {
                    return JOIN;
                }

                public void combine(
                        Object into, int at, Object other, int from, int count, double weight, double otherWeight) {
                    TYPE[] a = (TYPE[]) into;
                    TYPE[] b = (TYPE[]) other;
                    for (int k = 0; k < count; k++) {
                        a[at + k] = join(a[at + k], b[from + k]);
                    }
                }

                public void foldPairs(Object values, int from, int pairs, int width, Object into, int at, double weight) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    for (int j = 0; j < pairs; j++) {
                        for (int c = 0; c < width; c++) {
                            int base = from + 2 * j * width + c;
                            out[at + j * width + c] = join(in[base], in[base + width]);
                        }
                    }
                }

                public void foldEights(Object values, int from, int groups, int width, Object into, int at, double weight) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    if (width == 1) {
                        for (int j = 0; j < groups; j++) {
                            out[at + j] = eight(in, from + 8 * j, 1);
                        }
                        return;
                    }
                    for (int j = 0; j < groups; j++) {
                        for (int c = 0; c < width; c++) {
                            out[at + j * width + c] = eight(in, from + 8 * j * width + c, width);
                        }
                    }
                }

                public void foldSegments(
                        Object values, int from, int segments, int count, int width, Object into, int at, double weight) {
                    if (width == 1 && count == 2) {
                        foldPairs(values, from, segments, 1, into, at, weight);
                        return;
                    }
                    if (width == 1 && count == 8) {
                        foldEights(values, from, segments, 1, into, at, weight);
                        return;
                    }
                    if (width == 1 && count % 8 == 0) { // the same tree, level by level: one loop over all segments
                        TYPE[] eights = new TYPE[segments * (count / 8)];
                        foldEights(values, from, eights.length, 1, eights, 0, weight);
                        foldSegments(eights, 0, segments, count / 8, 1, into, at, 8 * weight);
                        return;
                    }
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    for (int s = 0; s < segments; s++) {
                        for (int c = 0; c < width; c++) {
                            out[at + s * width + c] = segment(in, from + s * count * width + c, count, width);
                        }
                    }
                }

                private static TYPE eight(TYPE[] in, int base, int width) {
                    TYPE first = join(join(in[base], in[base + width]), join(in[base + 2 * width], in[base + 3 * width]));
                    TYPE second = join(
                            join(in[base + 4 * width], in[base + 5 * width]),
                            join(in[base + 6 * width], in[base + 7 * width]));
                    return join(first, second);
                }

                private static TYPE segment(TYPE[] in, int start, int count, int width) {
                    int base = start;
                    int length = Integer.highestOneBit(count);
                    TYPE total = block(in, base, length, width);
                    for (int left = count - length; left > 0; left -= length) {
                        base += length * width;
                        length = Integer.highestOneBit(left);
                        total = join(total, block(in, base, length, width));
                    }
                    return total;
                }

                private static TYPE block(TYPE[] in, int base, int length, int width) {
                    if (length == 1) {
                        return in[base];
                    }
                    if (length == 8) {
                        return eight(in, base, width);
                    }
                    int half = length / 2;
                    return join(block(in, base, half, width), block(in, base + half * width, half, width));
                }
            }
            """;

    /**
     * The joins of a segment's tree go through {@code part}, where the value at a height has a place of its own; those of
     * eight neighbours, of which most are, are written out over local variables.
     */
    private static final String TWO_COMPONENTS = """
            package io.github.broadloom.kernel;

            public final class Fold implements io.github.broadloom.cpu.reduce.FoldLoops {

            PAIRS

                public void combine(
                        Object into, int at, Object other, int from, int count, double weight, double otherWeight) {
                    TYPE[] a = (TYPE[]) into;
                    TYPE[] b = (TYPE[]) other;
                    double share = otherWeight / (weight + otherWeight);
                    for (int k = 0; k < count; k += 2) {
                        join(a, at + k, b, from + k, a, at + k, share, weight * share);
                    }
                }

                public void foldPairs(Object values, int from, int pairs, int width, Object into, int at, double weight) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    double spread = weight * 0.5;
                    for (int j = 0; j < pairs; j++) {
                        for (int c = 0; c < width; c += 2) {
                            int base = from + 2 * j * width + c;
                            join(in, base, in, base + width, out, at + j * width + c, 0.5, spread);
                        }
                    }
                }

                public void foldEights(Object values, int from, int groups, int width, Object into, int at, double weight) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    if (width == 2) {
                        for (int j = 0; j < groups; j++) {
                            eight(in, from + 16 * j, 2, out, at + 2 * j, weight);
                        }
                        return;
                    }
                    for (int j = 0; j < groups; j++) {
                        for (int c = 0; c < width; c += 2) {
                            eight(in, from + 8 * j * width + c, width, out, at + j * width + c, weight);
                        }
                    }
                }

                public void foldSegments(
                        Object values, int from, int segments, int count, int width, Object into, int at, double weight) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    TYPE[] part = new TYPE[2 * 64];
                    for (int s = 0; s < segments; s++) {
                        for (int c = 0; c < width; c += 2) {
                            segment(in, from + s * count * width + c, count, width, out, at + s * width + c, weight, part);
                        }
                    }
                }

                private static void eight(TYPE[] in, int base, int width, TYPE[] out, int at, double weight) {
                    EIGHT
                }

                private static void segment(
                        TYPE[] in, int start, int count, int width, TYPE[] out, int at, double weight, TYPE[] part) {
                    int base = start;
                    int length = Integer.highestOneBit(count);
                    block(in, base, length, width, out, at, weight, part, 2);
                    for (int done = length; done < count; done += length) {
                        base += length * width;
                        length = Integer.highestOneBit(count - done);
                        block(in, base, length, width, part, 0, weight, part, 2);
                        double share = (double) length / (done + length);
                        join(out, at, part, 0, out, at, share, done * weight * share);
                    }
                }

                private static void block(
                        TYPE[] in, int base, int length, int width, TYPE[] out, int at, double weight, TYPE[] part, int top) {
                    if (length == 1) {
                        out[at] = in[base];
                        out[at + 1] = in[base + 1];
                        return;
                    }
                    if (length == 8) {
                        eight(in, base, width, out, at, weight);
                        return;
                    }
                    int half = length / 2;
                    block(in, base, half, width, out, at, weight, part, top + 2);
                    block(in, base + half * width, half, width, part, top, weight, part, top + 2);
                    join(out, at, part, top, out, at, 0.5, half * weight * 0.5);
                }
            }
            """;

    private FoldRenderer() {}

    /** @param type {@code double} or {@code long} */
    public static FoldLoops loops(Join join, String type) {
        return COMPILED.computeIfAbsent(
                join + type, key -> SourceCompiler.compile(CLASS_NAME, render(join, type), FoldLoops.class));
    }

    private static String render(Join join, String type) {
        if (join.components() == 1) {
            return ONE_COMPONENT.replace("JOIN", join.java()).replace("TYPE", type);
        }
        return TWO_COMPONENTS
                .replace("PAIRS\n", PAIRS.indent(4))
                .replace("EIGHT", eight(join).indent(20).strip())
                .replace("JOIN", join.java())
                .replace("TYPE", type);
    }

    /** Three rounds of joins: four of neighbours, two of their results, one of those. */
    private static String eight(Join join) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            text.append("TYPE v%d_0 = in[base + %d * width];\n".formatted(i, i));
            text.append("TYPE v%d_1 = in[base + %d * width + 1];\n".formatted(i, i));
        }
        for (int step = 1; step < 8; step *= 2) {
            for (int i = 0; i < 8; i += 2 * step) {
                text.append("{ TYPE c0; TYPE c1; %s v%d_0 = c0; v%d_1 = c1; }\n"
                        .formatted(joined(join, i, i + step, step), i, i));
            }
        }
        return text.append("out[at] = v0_0;\nout[at + 1] = v0_1;").toString();
    }

    /** The join of two local variables, each of {@code weight * step} values. */
    private static String joined(Join join, int a, int b, int step) {
        return join.java()
                .replaceAll("\\ba([01])\\b", "v" + a + "_$1")
                .replaceAll("\\bb([01])\\b", "v" + b + "_$1")
                .replaceAll("\\bshare\\b", "0.5")
                .replaceAll("\\bspread\\b", "(weight * " + step * 0.5 + ")");
    }
}
