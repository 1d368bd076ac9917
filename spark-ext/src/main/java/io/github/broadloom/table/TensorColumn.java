package io.github.broadloom.table;

import io.github.broadloom.arrow.FixedShapeTensorType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;

/**
 * A column of tensors of one shape: flat arrays of their elements in row-major order. The column's metadata tells the shape as an Arrow
 * field's does, as the extension type {@code arrow.fixed_shape_tensor}, so that files keep it.
 */
public final class TensorColumn {
    private static final String EXTENSION = "ARROW:extension:name";
    private static final String PARAMETERS = "ARROW:extension:metadata";

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
            return Optional.empty();
        }
        FixedShapeTensorType type = FixedShapeTensorType.parse(metadata.getString(PARAMETERS));
        if (type.permutation().length > 0) {
            throw new IllegalArgumentException(
                    "Cannot read a column of tensors whose dimensions are stored in the order "
                            + Arrays.toString(type.permutation()) + "; store them in row-major order");
        }
        return Optional.of(type.storedShape());
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
