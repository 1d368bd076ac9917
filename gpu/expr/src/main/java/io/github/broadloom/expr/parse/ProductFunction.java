package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A function of the string language that multiplies two operands as matrices or vectors; see {@link Products}.
 *
 * @param arguments PyTorch's names of both
 * @param doc one line for the documentation
 * @param builder makes the expression of both
 */
record ProductFunction(String name, List<String> arguments, String doc, BinaryOperator<Expr> builder) {
    private static final Map<String, ProductFunction> BY_NAME = table(
            new ProductFunction(
                    "matmul",
                    List.of("input", "other"),
                    "The matrix product, also written `input @ other`; of more dimensions those of the matrices in the last"
                            + " two, the others broadcast.",
                    Products::matmul),
            new ProductFunction("mm", List.of("input", "mat2"), "The product of two matrices.", Products::mm),
            new ProductFunction(
                    "bmm", List.of("input", "mat2"), "The products of as many matrices as matrices.", Products::bmm),
            new ProductFunction("mv", List.of("input", "vec"), "The product of a matrix and a vector.", Products::mv),
            new ProductFunction(
                    "dot", List.of("input", "tensor"), "The sum of the products of two vectors.", Products::dot));

    private static Map<String, ProductFunction> table(ProductFunction... rows) {
        Map<String, ProductFunction> table = new LinkedHashMap<>();
        for (ProductFunction row : rows) {
            table.put(row.name(), row);
        }
        return Collections.unmodifiableMap(table);
    }

    /** The function of that name. */
    static @Nullable ProductFunction find(String name) {
        return BY_NAME.get(name);
    }

    /** All of them, in the order of the documentation. */
    static List<ProductFunction> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** Both arguments, for people. */
    String signature() {
        return String.join(", ", arguments);
    }
}
