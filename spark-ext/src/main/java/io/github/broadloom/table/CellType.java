package io.github.broadloom.table;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of a column are as tensors: a number is a zero-dim tensor, an array nested {@code n} times has rank {@code n}, and a flat
 * array with a declared shape is a tensor of that shape. The sizes of the others are those of each cell.
 *
 * @param rank the number of dimensions
 * @param declared the shape of every cell, where the column tells it, for then the array is flat
 */
public record CellType(DType dtype, int rank, @Nullable Shape declared) implements Serializable {

    private static final Map<DataType, DType> DTYPES = Map.of(
            DataTypes.BooleanType, DType.BOOL,
            DataTypes.ByteType, DType.INT8,
            DataTypes.ShortType, DType.INT16,
            DataTypes.IntegerType, DType.INT32,
            DataTypes.LongType, DType.INT64,
            DataTypes.FloatType, DType.FLOAT32,
            DataTypes.DoubleType, DType.FLOAT64);

    /** The type of cells of a column without a declared shape; empty where it holds no numbers. */
    public static Optional<CellType> of(DataType type) {
        int rank = 0;
        DataType element = type;
        while (element instanceof ArrayType array) {
            element = array.elementType();
            rank++;
        }
        Optional<DType> dtype = dtype(element);
        int found = rank;
        return dtype.map(known -> new CellType(known, found, null));
    }

    /** The dtype of a numeric type; decimals, which no tensor holds, have none. */
    public static Optional<DType> dtype(DataType type) {
        return Optional.ofNullable(DTYPES.get(type));
    }

    /** These cells as tensors of a shape, where they are flat arrays: of numbers and nested arrays nothing else is told. */
    public CellType declaring(Shape shape) {
        return depth() == 1 ? new CellType(dtype, shape.rank(), shape) : this;
    }

    /** The dtype that a column holds: SQL has no unsigned bytes, which become shorts, and no halves, which become floats. */
    public DType stored() {
        return switch (dtype.kind()) {
            case BOOL -> dtype;
            case INTEGER -> dtype.isSigned() ? dtype : DType.INT16;
            case FLOATING -> dtype.widened();
        };
    }

    public int depth() {
        return declared == null ? rank : 1;
    }

    public static boolean isNumber(DataType type) {
        return dtype(type).isPresent() || type instanceof DecimalType;
    }

    public DataType dataType() {
        DataType type = switch (stored().primitive()) {
            case BYTE -> dtype == DType.BOOL ? DataTypes.BooleanType : DataTypes.ByteType;
            case SHORT -> DataTypes.ShortType;
            case INT -> DataTypes.IntegerType;
            case LONG -> DataTypes.LongType;
            case FLOAT -> DataTypes.FloatType;
            case DOUBLE -> DataTypes.DoubleType;
        };
        for (int nested = depth(); nested > 0; nested--) {
            type = DataTypes.createArrayType(type, false);
        }
        return type;
    }
}
