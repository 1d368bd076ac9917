package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Join;
import io.github.broadloom.expr.ops.Reduction;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The accumulators of a reduction as CUDA C, the twin of those on the CPU: {@code double} or {@code long long}, but where the order of the
 * joins never shows, the type of the values themselves.
 *
 * @param reduction one of those that have such accumulators, which differ in what becomes of the last
 * @param operand the dtype of the values
 */
record FoldAccumulator(Reduction reduction, DType operand) {
    static FoldAccumulator of(Reduce reduce) {
        return new FoldAccumulator(reduce.reduction(), reduce.operand().dtype());
    }

    /** Whether another reduction of the same values has the same accumulators. */
    boolean serves(Reduce other) {
        return other.reduction().join() == reduction.join();
    }

    String name() {
        return reduction.join().name().toLowerCase(Locale.ROOT);
    }

    /** Whether the order in which values are joined never shows. */
    boolean isExact() {
        return !operand.isFloatingPoint() || reduction.join().isExact();
    }

    /** Whether a join asks how many values are in its sides; then order shows, too. */
    boolean isMoments() {
        return reduction.isDeviation();
    }

    boolean isPosition() {
        return reduction.isPosition();
    }

    int components() {
        return reduction.join().components();
    }

    private String scalar() {
        if (!reduction.join().isExact()) {
            return operand.isFloatingPoint() ? "double" : "long long";
        }
        return operand == DType.BOOL ? "int" : operand.valueType().cudaName();
    }

    List<DType> nodeTypes() {
        DType first = operand.isFloatingPoint() ? DType.FLOAT64 : DType.INT64;
        return isPosition() ? List.of(first, DType.INT64) : isMoments() ? List.of(first, first) : List.of(first);
    }

    /** The definitions of the type and of the join of two, of which {@code a} comes first. */
    String declaration() {
        if (isMoments()) {
            return MOMENTS;
        }
        if (isPosition()) {
            String better = reduction.join() == Join.FIRST_MIN ? "<" : ">";
            return POSITION.replace("TYPE", scalar()).replace("BETTER", better);
        }
        return VALUE.replace("TYPE", scalar()).replace("JOIN", join());
    }

    private String join() {
        String join = reduction.join().cuda();
        boolean wraps = !operand.isFloatingPoint() && !reduction.join().isExact(); // signed overflow is undefined in C
        return wraps ? "(long long) (" + join.replaceAll("[ab]", "(u64) $0") + ")" : join;
    }

    private static final String VALUE = """
        typedef TYPE acc;

        BL_DEVICE acc join(acc a, acc b) {
          return JOIN;
        }
        """;

    private static final String POSITION = """
        struct acc {
          TYPE c0;
          long long c1;
        };

        // The better value, before all NaN; of equal ones the first.
        BL_DEVICE acc join(acc a, acc b) {
          const bool better = b.c0 BETTER a.c0 || (b.c0 != b.c0 && a.c0 == a.c0);
          const bool same = b.c0 == a.c0 || (b.c0 != b.c0 && a.c0 != a.c0);
          return better || (same && b.c1 < a.c1) ? b : a;
        }
        """;

    private static final String MOMENTS = """
        // A mean, and the sum of the squared distances from it.
        struct acc {
          double c0;
          double c1;
        };

        BL_DEVICE acc merged(acc a, acc b, double share, double spread) {
          const double d = b.c0 - a.c0;
          return {a.c0 + d * share, a.c1 + b.c1 + d * d * spread};
        }

        // The join of n values and the m that follow them.
        BL_DEVICE acc join(acc a, acc b, double n, double m) {
          const double share = m / (n + m);
          return merged(a, b, share, n * share);
        }

        // The join of n values and as many.
        BL_DEVICE acc join(acc a, acc b, double n) {
          return merged(a, b, 0.5, n * 0.5);
        }
        """;

    /** The accumulator of no values, and for what has an order the one that joins to anything. */
    String identity() {
        if (isMoments()) {
            return "{0.0, 0.0}";
        }
        if (reduction.acceptsEmpty()) {
            return String.valueOf(reduction.join().identity());
        }
        String worst = extreme(reduction == Reduction.AMIN || reduction == Reduction.ARGMIN);
        return isPosition() ? "{" + worst + ", 0x7fffffffffffffffll}" : worst;
    }

    /** What joins to a single value without a trace, for what is summed or multiplied: of floating values -0.0, as 0.0 makes 0.0 of that. */
    String neutral() {
        return reduction.isSum() && operand.isFloatingPoint() ? "-0.0" : identity();
    }

    private String extreme(boolean greatest) {
        if (operand.isFloatingPoint()) {
            String infinity = operand == DType.FLOAT64 ? "BL_INFINITY" : "BL_INFINITY_F";
            return greatest ? infinity : "-" + infinity;
        }
        if (operand == DType.INT64) {
            return greatest ? "0x7fffffffffffffffll" : "-0x7fffffffffffffffll - 1";
        }
        return greatest ? "0x7fffffff" : "-0x7fffffff - 1";
    }

    /** The accumulator of a value of the operand's dtype, by its place among those that are folded. */
    String lift(String value, String place) {
        if (isMoments()) {
            return "{(double) %s, 0.0 * fabs((double) %s)}".formatted(value, value);
        }
        if (isPosition()) {
            return "{%s, (long long) (%s)}".formatted(value, place);
        }
        return operand.valueType().cudaName().equals(scalar()) ? value : "(" + scalar() + ") " + value;
    }

    /** An accumulator of a node in memory, from its components; to a place that is added which there are before. */
    String fromNode(List<String> elements, String placesBefore) {
        String first = elements.get(0);
        if (components() == 1) {
            return scalar().equals(nodeTypes().get(0).cudaName()) ? first : "(" + scalar() + ") " + first;
        }
        return "{(%s) %s, %s%s}".formatted(scalar(), first, elements.get(1), isPosition() ? placesBefore : "");
    }

    List<String> components(String acc) {
        return components() == 1
                ? List.of(acc)
                : IntStream.range(0, components()).mapToObj(c -> acc + ".c" + c).toList();
    }

    String each(String acc, UnaryOperator<String> component) {
        List<String> found = components(acc).stream().map(component).toList();
        return found.size() == 1 ? found.get(0) : "{" + String.join(", ", found) + "}";
    }

    /** The element of a result that an accumulator ends as; means and deviations are divided by the divisor. */
    String result(Reduce reduce, String acc, String divisor) {
        String value = reduce.reduction().finish(acc, divisor, operand.isFloatingPoint());
        DType dtype = reduce.dtype();
        return switch (dtype.valueType()) {
            case DOUBLE -> CudaValues.reduced(dtype, value);
            case FLOAT -> CudaValues.reduced(dtype, "(float) " + primary(value));
            case LONG -> value;
            case INT -> dtype == dtype.widened() ? value : "(" + dtype.cudaName() + ") " + value;
            case BOOL -> "(" + dtype.cudaName() + ") " + value;
        };
    }

    private static String primary(String value) {
        return value.matches("\\w+|sqrt\\(.*\\)") ? value : "(" + value + ")";
    }
}
