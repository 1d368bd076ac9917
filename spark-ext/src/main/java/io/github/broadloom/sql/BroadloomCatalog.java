package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.SparkVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

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
        SparkVersion.check();
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

    /** A function for a session that does not have the functions themselves. */
    private record CatalogFunction(TensorFunctions.Function function) implements UnboundFunction {
        @Override
        public String name() {
            return function.name();
        }

        @Override
        public String description() {
            return function.usage();
        }

        /** @throws UnsupportedOperationException naming an argument that the function does not take; decimals, which no tensor holds, become doubles */
        @Override
        public BoundFunction bind(StructType types) {
            List<Expression> arguments = new ArrayList<>();
            for (StructField field : types.fields()) {
                DataType type = field.dataType() instanceof DecimalType ? DataTypes.DoubleType : field.dataType();
                arguments.add(new BoundReference(arguments.size(), type, field.nullable()));
            }
            Expression call = function.builder().build(Scala.seq(arguments));
            if (!(call instanceof RowExpression row)) {
                throw refused("it is an aggregate");
            }
            if (arguments.stream().anyMatch(argument -> argument.dataType().equals(DataTypes.StringType))) {
                throw refused("it would need to know a text");
            }
            if (row.checkInputDataTypes() instanceof TypeCheckResult.TypeCheckFailure failure) {
                throw new UnsupportedOperationException(failure.message());
            }
            return new Call(name(), row);
        }

        private UnsupportedOperationException refused(String why) {
            return new UnsupportedOperationException("Cannot call " + name() + " through a catalog alone: " + why
                    + "; add " + BroadloomExtensions.class.getName() + " to spark.sql.extensions");
        }

        /** The function over the places of a row of arguments. */
        private record Call(String name, RowExpression call) implements ScalarFunction<Object> {
            @Override
            public DataType[] inputTypes() {
                return call.arguments().stream().map(Expression::dataType).toArray(DataType[]::new);
            }

            @Override
            public DataType resultType() {
                return call.dataType();
            }

            @Override
            public boolean isResultNullable() {
                return call.nullable();
            }

            @Override
            public String canonicalName() {
                return call.toString();
            }

            @Override
            public @Nullable Object produceResult(InternalRow arguments) {
                return call.eval(arguments);
            }
        }
    }

    /**
     * Takes functions that are called by the prefix of a catalog for those of the session, before Spark asks the catalog: of its
     * functions it would tell only the types of the arguments, not which are plain numbers or what a text says.
     */
    static final class Calls extends Rule<LogicalPlan> {
        @Override
        public LogicalPlan apply(LogicalPlan plan) {
            return (LogicalPlan) plan.transformAllExpressions(new AbstractPartialFunction<Expression, Expression>() {
                @Override
                public boolean isDefinedAt(Expression expression) {
                    return expression instanceof UnresolvedFunction call && isOurs(call.nameParts());
                }

                @Override
                public Expression apply(Expression expression) {
                    UnresolvedFunction call = (UnresolvedFunction) expression;
                    String name =
                            TensorFunctions.PREFIX + call.nameParts().apply(1).toLowerCase(Locale.ROOT);
                    Object[] parts = CollectionConverters.asJava(
                                    call.productIterator().toSeq())
                            .toArray();
                    parts[0] = Scala.seq(List.of(name));
                    return (Expression) call.makeCopy(parts); // its other parts are more in each version
                }
            });
        }

        private boolean isOurs(Seq<String> name) {
            return name.size() == 2
                    && conf().getConfString("spark.sql.catalog." + name.apply(0), "")
                            .equals(BroadloomCatalog.class.getName());
        }
    }
}
