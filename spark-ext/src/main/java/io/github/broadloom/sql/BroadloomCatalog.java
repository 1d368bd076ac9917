package io.github.broadloom.sql;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The functions of tensors behind a prefix of the user's: with the setting {@code spark.sql.catalog.tensors=io.github.broadloom.sql.BroadloomCatalog}, {@code
 * tensors.add(a, b)} is {@code tensor_add(a, b)}, and so with each of them.
 *
 * <p>In a session with {@link BroadloomExtensions} they are the same functions. Without, Spark tells them the types of their arguments and nothing else: a number
 * that is written into the query then promotes as a column of numbers does, as a zero-dim tensor; what needs a plain number or a text, such as {@code eval}, {@code
 * slice} and {@code reshape}, is refused, and so are aggregates; and each row is evaluated by itself.
 */
public final class BroadloomCatalog implements FunctionCatalog {
    private final Map<String, TensorFunctions.Function> functions = TensorFunctions.all().stream()
            .collect(Collectors.toMap(BroadloomCatalog::shortName, function -> function, (a, b) -> a, TreeMap::new));

    private @Nullable String name;

    /** Made by Spark, by the name of the class. */
    public BroadloomCatalog() {}

    private static String shortName(TensorFunctions.Function function) {
        return function.name().substring(TensorFunctions.PREFIX.length());
    }

    @Override
    public void initialize(String prefix, CaseInsensitiveStringMap options) {
        name = prefix;
    }

    @Override
    public String name() {
        return name == null ? "" : name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
        if (namespace.length > 0) {
            throw new NoSuchNamespaceException(namespace);
        }
        return functions.keySet().stream()
                .map(function -> Identifier.of(namespace, function))
                .toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
        TensorFunctions.Function known = functions.get(identifier.name().toLowerCase(Locale.ROOT));
        if (known == null || identifier.namespace().length > 0) {
            throw new NoSuchFunctionException(identifier);
        }
        return new CatalogFunction(known);
    }
}
