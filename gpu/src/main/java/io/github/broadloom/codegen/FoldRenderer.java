package io.github.broadloom.codegen;

import io.github.broadloom.expr.Reduction;

/**
 * Writes {@link FoldLoops} as Java for one reduction and one type of accumulator. Written out for each, because one class
 * that called a different operation each time would not be vectorised.
 */
public final class FoldRenderer {
    /** The name of every rendered class; each has a class loader of its own. */
    public static final String CLASS_NAME = "io.github.broadloom.kernel.Fold";

    private static final String SOURCE = """
            package io.github.broadloom.kernel;

            public final class Fold implements io.github.broadloom.codegen.FoldLoops {

                private static TYPE join(TYPE a, TYPE b) {
                    return JOIN;
                }

                public void combine(Object into, int at, Object other, int from, int count) {
                    TYPE[] a = (TYPE[]) into;
                    TYPE[] b = (TYPE[]) other;
                    for (int k = 0; k < count; k++) {
                        a[at + k] = join(a[at + k], b[from + k]);
                    }
                }

                public void foldPairs(Object values, int from, int pairs, int width, Object into, int at) {
                    TYPE[] in = (TYPE[]) values;
                    TYPE[] out = (TYPE[]) into;
                    for (int j = 0; j < pairs; j++) {
                        for (int c = 0; c < width; c++) {
                            int base = from + 2 * j * width + c;
                            out[at + j * width + c] = join(in[base], in[base + width]);
                        }
                    }
                }

                public void foldEights(Object values, int from, int groups, int width, Object into, int at) {
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

                public void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at) {
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

    private FoldRenderer() {}

    /**
     * The source of the class {@link #CLASS_NAME}.
     *
     * @param type {@code double} or {@code long}
     */
    public static String render(Reduction reduction, String type) {
        return SOURCE.replace("TYPE", type).replace("JOIN", reduction.javaJoin());
    }
}
