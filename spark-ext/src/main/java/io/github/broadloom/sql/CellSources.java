package io.github.broadloom.sql;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** The functions of SQL that make cells of what holds numbers in another way. */
final class CellSources {
    private CellSources() {}

    /** Elements as they lie in memory, of a dtype and a shape that the call declares. */
    record FromBinary() implements CellFunction.Kind {
        @Override
        public List<String> names() {
            return List.of("input", "dtype", "shape");
        }

        @Override
        public DataType type(CellFunction call) {
            DataType input = call.arguments().get(0).dataType();
            if (!(input instanceof BinaryType)) {
                throw refused(call, "input is " + input.sql() + "; give BINARY");
            }
            return new CellType(dtype(call), sizes(call).length, null).dataType();
        }

        private static DType dtype(CellFunction call) {
            Object name = constant(call, 1);
            try {
                return DType.of(String.valueOf(name));
            } catch (IllegalArgumentException e) {
                throw refused(call, "dtype is " + call.arguments().get(1).sql() + "; write one such as 'float32'");
            }
        }

        private static long[] sizes(CellFunction call) {
            Expression shape = call.arguments().get(2);
            Object given = constant(call, 2);
            if (given instanceof ArrayData several
                    && shape.dataType() instanceof ArrayType array
                    && array.elementType().equals(DataTypes.IntegerType)) {
                return Arrays.stream(several.toIntArray()).asLongStream().toArray();
            }
            if (given instanceof Integer size) {
                return new long[] {size};
            }
            throw refused(call, "shape is " + shape.sql() + "; give a size, or an array of sizes such as array(2, 3)");
        }

        private static @Nullable Object constant(CellFunction call, int index) {
            Expression argument = call.arguments().get(index);
            if (!CallArguments.isConstant(argument)) {
                throw refused(call, call.argument(index) + " must be the same in all rows; write a constant");
            }
            return argument.eval(null);
        }

        private static IllegalArgumentException refused(CellFunction call, String why) {
            return new IllegalArgumentException("Cannot call " + call.prettyName() + ": " + why);
        }

        @Override
        public RowFunction function(CellFunction call) {
            return new Elements(call.refusal(), dtype(call), sizes(call));
        }
    }

    private record Elements(CellReader.Refusal refusal, DType dtype, long[] sizes)
            implements RowFunction, Serializable {
        @Override
        public @Nullable Object evaluate(@Nullable Object[] cells) {
            return cells[0] == null ? null : cell((byte[]) cells[0]);
        }

        private Object cell(byte[] bytes) {
            if (bytes.length % dtype.bytes() != 0) {
                throw refusal.of(
                        "input has " + bytes.length + " bytes, which are no whole number of elements of " + dtype);
            }
            Shape shape = shape(bytes.length / dtype.bytes());
            DType stored = new CellType(dtype, 0, null).stored();
            // any byte but 0 is true
            Tensor raw = Tensors.empty(dtype == DType.BOOL ? DType.UINT8 : dtype, shape);
            Tensor wanted = null;
            try (Hold held = Hold.of(raw)) {
                Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, raw.address(), bytes.length);
                wanted = raw.to(stored);
                try (Hold converted = Hold.of(wanted)) {
                    return new CellWriter(stored, shape.toArray()).cell(wanted.address());
                }
            } finally {
                if (wanted != null && wanted != raw) {
                    wanted.release();
                }
                raw.release();
            }
        }

        private Shape shape(long elements) {
            try {
                return Layout.contiguous(Shape.of(elements)).inferShape(sizes);
            } catch (IllegalArgumentException e) {
                throw refusal.of(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Vectors of Spark ML, which this project does not need to know: their columns say how they are stored. */
    record FromVector() implements CellFunction.Kind {
        private static final StructType STORED = new StructType()
                .add("type", DataTypes.ByteType, false)
                .add("size", DataTypes.IntegerType, true)
                .add("indices", DataTypes.createArrayType(DataTypes.IntegerType, false), true)
                .add("values", DataTypes.createArrayType(DataTypes.DoubleType, false), true);

        static boolean isVector(DataType type) {
            return type instanceof UserDefinedType<?> own && own.sqlType().equals(STORED);
        }

        @Override
        public DataType type(CellFunction call) {
            DataType input = call.arguments().get(0).dataType();
            if (!isVector(input)) {
                throw new IllegalArgumentException("Cannot call " + call.prettyName() + ": input is " + input.sql()
                        + "; give a column of vectors of Spark ML");
            }
            return DataTypes.createArrayType(DataTypes.DoubleType, false);
        }

        @Override
        public RowFunction function(CellFunction call) {
            return new Dense();
        }
    }

    private record Dense() implements RowFunction, Serializable {
        @Override
        public @Nullable Object evaluate(@Nullable Object[] cells) {
            if (!(cells[0] instanceof InternalRow vector)) {
                return null;
            }
            boolean isDense = vector.getByte(0) == 1;
            double[] values = vector.getArray(3).toDoubleArray();
            return UnsafeArrayData.fromPrimitiveArray(isDense ? values : spread(vector, values));
        }

        private static double[] spread(InternalRow vector, double[] values) {
            double[] all = new double[vector.getInt(1)];
            int[] indices = vector.getArray(2).toIntArray();
            for (int i = 0; i < indices.length; i++) {
                all[indices[i]] = values[i];
            }
            return all;
        }
    }
}
