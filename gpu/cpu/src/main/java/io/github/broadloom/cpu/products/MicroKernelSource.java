package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.dtype.ValueType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes {@link MicroKernels} of one type of elements as Java. Eight sums are under way at a time, which is what two units of four cycles
 * each can take.
 */
public final class MicroKernelSource {
    private static final String CLASS_NAME = "io.github.broadloom.cpu.products.rendered.Products";
    private static final Map<ValueType, MicroKernels> COMPILED = new ConcurrentHashMap<>();

    /** In the texts, lines with {@code $i} stand four times there, with {@code $j} four more than {@code $i}. */
    private static final Pattern REPEATED = Pattern.compile("(?m)(^.*\\$[ij].*\n)+");

    private static final Pattern FUSED = Pattern.compile("fma\\(([^,]+), ([^,]+), ([^,]+)\\);");

    private static final String TEXT = """
        package io.github.broadloom.cpu.products.rendered;

        import io.github.broadloom.cpu.products.MicroKernels;
        IMPORTS
        public final class Products implements MicroKernels {
        TILE
            public void dots(Object a, int aStep, Object b, int bStep, int n, Object out) {
                dots((T[]) a, aStep, (T[]) b, bStep, n, (T[]) out);
            }

            private static void dots(T[] a, int aStep, T[] b, int bStep, int n, T[] out) {
                T s$i = 0;
                T s$j = 0;
                for (int p = 0; p < n; p++) {
                    s$i = fma(a[p + $i * aStep], b[p + $i * bStep], s$i);
                    s$j = fma(a[p + $j * aStep], b[p + $j * bStep], s$j);
                }
                out[$i] = s$i;
                out[$j] = s$j;
            }

            public void add(Object sums, Object others, int count) {
                T[] x = (T[]) sums;
                T[] y = (T[]) others;
                for (int i = 0; i < count; i++) {
                    x[i] += y[i];
                }
            }

            public void clear(Object values, int count) {
                T[] x = (T[]) values;
                for (int i = 0; i < count; i++) {
                    x[i] = 0;
                }
            }

            public int firstUpTo(Object values, int from, int end, double limit) {
                T[] x = (T[]) values;
                T most = (T) limit;
                int i = from;
        ABOVE        while (i < end && x[i] > most) {
                    i++;
                }
                return i;
            }

            public void keepOneNaN(Object values, int count) {
        NANS    }
        }
        """;

    private static final String PLAIN_TILE = """
            public void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
                for (int row = 0; row < ROWS; row += 2) {
                    for (int column = 0; column < COLUMNS; column += 4) {
                        int place = at + row * step + column;
                        quarters((T[]) a, aFrom + row, (T[]) b, bFrom + column, n, (T[]) out, place, place + step);
                    }
                }
            }

            private static void quarters(T[] a, int aFrom, T[] b, int bFrom, int n, T[] out, int first, int second) {
                T f$i = out[first + $i];
                T s$i = out[second + $i];
                for (int p = 0; p < n; p++) {
                    T upper = a[aFrom + p * ROWS];
                    T lower = a[aFrom + p * ROWS + 1];
                    int from = bFrom + p * COLUMNS;
                    f$i = fma(upper, b[from + $i], f$i);
                    s$i = fma(lower, b[from + $i], s$i);
                }
                out[first + $i] = f$i;
                out[second + $i] = s$i;
            }
        """;

    private static final String VECTOR_TILE = """
            private static final VectorSpecies SPECIES = V.SPECIES_SIZE;
            private static final int LANES = SPECIES.length();

            public void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step) {
                for (int column = 0; column < COLUMNS; column += 2 * LANES) {
                    pair((T[]) a, aFrom, (T[]) b, bFrom + column, n, (T[]) out, at + column, step);
                }
            }

            private static void pair(T[] a, int aFrom, T[] b, int bFrom, int n, T[] out, int at, int step) {
                V left$i = V.fromArray(SPECIES, out, at + $i * step);
                V right$i = V.fromArray(SPECIES, out, at + $i * step + LANES);
                int p = 0;
                for (; p < n - 1; p += 2) {
        STEP0STEP1        }
                if (p < n) {
        STEP0        }
                left$i.intoArray(out, at + $i * step);
                right$i.intoArray(out, at + $i * step + LANES);
            }
        """;

    /** What a place adds. Two of them in a loop: there the compiler keeps an address in a vector register, and moves it for each turn. */
    private static final String VECTOR_STEP = """
                    {
                        V left = V.fromArray(SPECIES, b, bFrom + PLACE * COLUMNS);
                        V right = V.fromArray(SPECIES, b, bFrom + PLACE * COLUMNS + LANES);
                        V row$i = V.broadcast(SPECIES, a[aFrom + PLACE * ROWS + $i]);
                        left$i = fma(row$i, left, left$i);
                        right$i = fma(row$i, right, right$i);
                    }
        """;

    private static final String VECTOR_ABOVE = """
                V limits = V.broadcast(SPECIES, most);
                while (i <= end - 2 * LANES
                        && V.fromArray(SPECIES, x, i).compare(VectorOperators.GT, limits).allTrue()
                        && V.fromArray(SPECIES, x, i + LANES).compare(VectorOperators.GT, limits).allTrue()) {
                    i += 2 * LANES;
                }
        """;

    private static final String NANS = """
                T[] x = (T[]) values;
                int i = 0;
        VECTORS        for (; i < count; i++) {
                    x[i] = x[i] != x[i] ? (T) Double.NaN : x[i];
                }
        """;

    private static final String VECTOR_NANS = """
                for (; i <= count - LANES; i += LANES) {
                    V vector = V.fromArray(SPECIES, x, i);
                    ((V) vector.blend((T) Double.NaN, vector.compare(VectorOperators.NE, vector))).intoArray(x, i);
                }
        """;

    private MicroKernelSource() {}

    /** The products of floats, doubles, ints or longs; on the Vector API where that is faster. */
    public static MicroKernels of(ValueType element) {
        return COMPILED.computeIfAbsent(element, type -> compile(type, fitsVectors(type)));
    }

    static MicroKernels compile(ValueType element, boolean vectors) {
        return SourceCompiler.compile(CLASS_NAME, render(element, vectors), MicroKernels.class);
    }

    /** Elements of eight bytes fill the widest vectors that the machine likes; narrower ones come in eights. */
    private static boolean fitsVectors(ValueType element) {
        return isWide(element) ? Simd.isVectorized() : Simd.haveEights();
    }

    private static boolean isWide(ValueType element) {
        return element.element().bytes() == Long.BYTES;
    }

    static String render(ValueType element, boolean vectors) {
        String type = element.javaName();
        boolean floating = element == ValueType.FLOAT || element == ValueType.DOUBLE;
        String plainFused = floating ? "Math.fma($1, $2, $3);" : "$1 * $2 + $3;";
        String vectorFused = floating ? "(V) $1.fma($2, $3);" : "(V) ((V) $1.mul($2)).add($3);";
        String vectorTile = VECTOR_TILE
                .replace("STEP0", VECTOR_STEP.replace("PLACE", "p"))
                .replace("STEP1", VECTOR_STEP.replace("PLACE", "(p + 1)"));
        String tile = FUSED.matcher(vectors ? vectorTile : PLAIN_TILE).replaceAll(vectors ? vectorFused : plainFused);
        String text = FUSED.matcher(TEXT)
                .replaceAll(plainFused)
                .replace("TILE", tile)
                .replace("NANS", floating ? NANS.replace("VECTORS", vectors ? VECTOR_NANS : "") : "")
                .replace("ABOVE", vectors ? VECTOR_ABOVE : "")
                .replace("IMPORTS", vectors ? "import jdk.incubator.vector.*;\n" : "");
        return REPEATED.matcher(text)
                .replaceAll(match -> IntStream.range(0, 4)
                        .mapToObj(i -> match.group().replace("$i", "" + i).replace("$j", "" + (i + 4)))
                        .collect(Collectors.joining()))
                .replaceAll("\\bV\\b", Character.toUpperCase(type.charAt(0)) + type.substring(1) + "Vector")
                .replaceAll("\\bT\\b", type)
                .replace("SPECIES_SIZE", isWide(element) ? "SPECIES_PREFERRED" : "SPECIES_256");
    }
}
