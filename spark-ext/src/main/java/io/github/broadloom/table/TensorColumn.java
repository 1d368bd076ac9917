package io.github.broadloom.table;

import io.github.broadloom.arrow.FixedShapeTensorType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;

/**
 * A column of tensors of one shape: flat arrays of their elements in row-major order. The column's metadata tells the shape as an Arrow
 * field's does, as the extension type {@code arrow.fixed_shape_tensor}, so that files keep it. Of vectors it may tell the length in the words of others, too: as Hudi's {@code
 * VECTOR(128)} or {@code VECTOR(128, DOUBLE)}, or as the size of Lance's lists.
 */
public final class TensorColumn {
    private static final String EXTENSION = "ARROW:extension:name";
    private static final String PARAMETERS = "ARROW:extension:metadata";
    private static final String LANCE_SIZE = "arrow.fixed-size-list.size";
    private static final String HUDI_TYPE = "hudi_type";
    private static final Pattern HUDI_VECTOR =
            Pattern.compile("\\s*VECTOR\\s*\\(\\s*(\\d{1,9})\\s*(,.*)?\\)\\s*", Pattern.CASE_INSENSITIVE);

    private TensorColumn() {}

    /** The shape that a column tells, if the expression is one that does. */
    public static Optional<Shape> shape(Expression expression) {
        return expression instanceof NamedExpression column ? shape(column.metadata()) : Optional.empty();
    }

    /**
     * The shape that a column's metadata tells, if it does.
     *
     * @throws IllegalArgumentException where it is not the specification's, or tells of elements in another order
     */
    public static Optional<Shape> shape(Metadata metadata) {
        if (!metadata.contains(EXTENSION) || !metadata.getString(EXTENSION).equals(FixedShapeTensorType.NAME)) {
            return vectorSize(metadata).map(Shape::of);
        }
        FixedShapeTensorType type = FixedShapeTensorType.parse(metadata.getString(PARAMETERS));
        if (type.permutation().length > 0) {
            throw new IllegalArgumentException(
                    "Cannot read a column of tensors whose dimensions are stored in the order "
                            + Arrays.toString(type.permutation()) + "; store them in row-major order");
        }
        return Optional.of(type.storedShape());
    }

    private static Optional<Long> vectorSize(Metadata metadata) {
        if (metadata.contains(LANCE_SIZE)) {
            return Optional.of(metadata.getLong(LANCE_SIZE)).filter(size -> size > 0);
        }
        if (!metadata.contains(HUDI_TYPE)) {
            return Optional.empty();
        }
        Matcher vector = HUDI_VECTOR.matcher(metadata.getString(HUDI_TYPE));
        return vector.matches() ? Optional.of(Long.valueOf(vector.group(1))) : Optional.empty();
    }

    /**
     * A table of which a column of flat arrays declares the shape of its cells, as those that {@code toDataFrame} makes do: functions of SQL and {@code
     * fromDataFrame} see tensors of that shape, and Parquet files keep it. A cell with another number of elements is refused when it is read.
     *
     * @param sizes of the dimensions of every cell
     * @throws IllegalArgumentException naming the column, where there is none of that name, or it holds no flat arrays of numbers
     */
    public static Dataset<Row> declare(Dataset<Row> table, String column, long... sizes) {
        Column declared = NamedColumn.of(table, column, "declare the shape of");
        DataType type = table.schema().apply(column).dataType();
        int depth = CellType.of(type).map(CellType::depth).orElse(0);
        if (depth != 1) {
            throw refused(
                    column,
                    "it is " + type.sql() + "; a shape is that of flat arrays of numbers"
                            + (depth > 1 ? ", such as flatten(" + column + ")" : ""));
        }
        Shape shape = Shape.of(sizes);
        return table.select(Arrays.stream(table.schema().fields())
                .map(field -> field.name().equals(column)
                        ? declared.as(column, declaring(shape, field.metadata()))
                        : NamedColumn.of(table, field.name(), "read"))
                .toArray(Column[]::new));
    }

    private static IllegalArgumentException refused(String column, String why) {
        return new IllegalArgumentException("Cannot declare the shape of column " + column + ": " + why);
    }

    /** Metadata that tells a shape, beside what there is. */
    public static Metadata declaring(Shape shape, Metadata others) {
        return new MetadataBuilder()
                .withMetadata(others)
                .putString(EXTENSION, FixedShapeTensorType.NAME)
                .putString(PARAMETERS, FixedShapeTensorType.of(shape).serialize())
                .build();
    }
}
