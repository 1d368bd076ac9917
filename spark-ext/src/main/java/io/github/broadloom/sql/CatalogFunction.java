package io.github.broadloom.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** A function of a {@link BroadloomCatalog} for a session that does not have the functions themselves. */
record CatalogFunction(TensorFunctions.Function function) implements UnboundFunction {
    private static final long serialVersionUID = 1;

    @Override
    public String name() {
        return function.name();
    }

    @Override
    public String description() {
        return function.usage();
    }

    /**
     * The function for arguments of these types; decimals, which no tensor holds, are converted to doubles.
     *
     * @throws UnsupportedOperationException naming the argument, where it does not take them
     */
    @Override
    public BoundFunction bind(StructType types) {
        List<Expression> arguments = new ArrayList<>();
        for (StructField field : types.fields()) {
            DataType type = field.dataType() instanceof DecimalType ? DataTypes.DoubleType : field.dataType();
            arguments.add(new BoundReference(arguments.size(), type, field.nullable()));
        }
        Expression call =
                function.builder().build(CollectionConverters.asScala(arguments).toSeq());
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
        return new UnsupportedOperationException("Cannot call " + name() + " through a catalog alone: " + why + "; add "
                + BroadloomExtensions.class.getName() + " to spark.sql.extensions");
    }

    /** The function over the places of a row of arguments. */
    private record Call(String name, RowExpression call) implements ScalarFunction<Object> {
        private static final long serialVersionUID = 1;

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
