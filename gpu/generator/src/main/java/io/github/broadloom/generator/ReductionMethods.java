package io.github.broadloom.generator;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The methods that only name a row of {@link Reduction}: {@code x.sum(0)} and its like. */
final class ReductionMethods {
    private static final String SOURCE = """
            // Made from the rows by gpu/generator when the project is built.
            package io.github.broadloom.expr.fluent;

            import io.github.broadloom.expr.Expr;
            import io.github.broadloom.expr.KeepDim;
            import io.github.broadloom.expr.ops.Reduction;

            /** The rows of {@link Reduction}, over dimensions of which negative ones count from the end; part of {@link TensorOps}. */
            public interface ReductionOps<T extends TensorOps<T>> extends OpsBase<T> {
            %s}
            """;

    private static final String OVER_DIMENSIONS = """
                /**
                 * %1$s Over these dimensions; none named means all.
                 *
                 * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
                 * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice
                 */
                default T %2$s(int... dims) {
                    return %2$s(KeepDim.DROP, dims);
                }

                /** As {@link #%2$s(int...)}, and the reduced dimensions may stay with size one. */
                default T %2$s(KeepDim keepDim, int... dims) {
                    return withExpr(Expr.reduce(Reduction.%3$s, expr(), keepDim, dims));
                }
            """;

    private static final String OF_A_PLACE = """
                /**
                 * %1$s In the whole tensor, read row-major.
                 *
                 * @throws IndexOutOfBoundsException with PyTorch's text, for a tensor without elements
                 */
                default T %2$s() {
                    return withExpr(Expr.reduce(Reduction.%3$s, expr(), KeepDim.DROP));
                }

                /** {@link #%2$s()} along a dimension. */
                default T %2$s(int dim) {
                    return %2$s(KeepDim.DROP, dim);
                }

                /** {@link #%2$s()} along a dimension, which may stay with size one. */
                default T %2$s(KeepDim keepDim, int dim) {
                    return withExpr(Expr.reduce(Reduction.%3$s, expr(), keepDim, dim));
                }
            """;

    private static final String NAMED_SOURCE = """
            // Made from the rows by gpu/generator when the project is built.
            package io.github.broadloom.expr.fluent;

            import io.github.broadloom.expr.ops.Reduction;

            /** The rows of {@link Reduction}, over dimensions that are named; part of {@link NamedTensor}. */
            public interface NamedReductionOps<N> {
                /**
                 * A reduction over these dimensions; none named means all.
                 *
                 * @throws IllegalArgumentException for a name that there is not, and as the positional reduction
                 */
                N reduce(Reduction reduction, String... dims);

            %s}
            """;

    private static final String NAMED = """
                /** %s Over these dimensions; none named means all. */
                default N %s(String... dims) {
                    return reduce(Reduction.%s, dims);
                }
            """;

    private ReductionMethods() {}

    static String named() {
        return NAMED_SOURCE.formatted(Arrays.stream(Reduction.values())
                .map(row ->
                        NAMED.formatted(row.doc() + dtypes(row), FluentMethods.camelCase(row.torchName()), row.name()))
                .collect(Collectors.joining("\n")));
    }

    static String source() {
        return SOURCE.formatted(Arrays.stream(Reduction.values())
                .map(row -> (row.isPosition() ? OF_A_PLACE : OVER_DIMENSIONS)
                        .formatted(row.doc() + dtypes(row), FluentMethods.camelCase(row.torchName()), row.name()))
                .collect(Collectors.joining("\n")));
    }

    /** What becomes of dtypes, as a sentence. */
    private static String dtypes(Reduction row) {
        Optional<DType> ofBools = result(row, DType.BOOL);
        Optional<DType> ofIntegers = result(row, DType.INT32);
        String kept = result(row, DType.FLOAT32)
                .filter(dtype -> dtype != DType.FLOAT32)
                .map(dtype -> " In " + dtype + ".")
                .orElse("");
        if (ofIntegers.isEmpty()) {
            return kept + " Bools and integers are refused.";
        }
        if (ofBools.isEmpty()) {
            return kept + " Bools are refused.";
        }
        boolean widened = kept.isEmpty() && ofIntegers.get() != DType.INT32;
        return widened ? " Of bools and integers in " + ofIntegers.get() + "." : kept;
    }

    private static Optional<DType> result(Reduction row, DType operand) {
        try {
            return Optional.of(row.resultType(operand));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }
}
