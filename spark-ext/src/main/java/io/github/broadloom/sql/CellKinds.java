package io.github.broadloom.sql;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** The functions of SQL that look at cells. */
final class CellKinds {
    private CellKinds() {}

    /** A function that says something of its first argument; null of null. */
    private interface Row extends RowFunction, Serializable {
        Object of(Object cell);

        @Override
        default @Nullable Object evaluate(@Nullable Object[] cells) {
            Object cell = cells[0];
            return cell == null ? null : of(cell);
        }
    }

    record ShapeOf() implements CellFunction.Kind {
        @Override
        public DataType type(CellFunction call) {
            call.input();
            return DataTypes.createArrayType(DataTypes.LongType, false);
        }

        @Override
        public RowFunction function(CellFunction call) {
            CellReader reader = new CellReader(call.refusal(), call.argument(0), call.input());
            return (Row) cell -> {
                Shape shape = reader.shape(cell);
                reader.check(cell, shape);
                return UnsafeArrayData.fromPrimitiveArray(shape.toArray());
            };
        }
    }

    record DTypeOf() implements CellFunction.Kind {
        @Override
        public DataType type(CellFunction call) {
            call.input();
            return DataTypes.StringType;
        }

        @Override
        public RowFunction function(CellFunction call) {
            String name = call.input().dtype().torchName();
            return (Row) cell -> UTF8String.fromString(name);
        }
    }

    /** The cells with a number where there was none. An array that is null stays null. */
    record FillNull() implements CellFunction.Kind {
        @Override
        public List<String> names() {
            return List.of("input", "value");
        }

        @Override
        public DataType type(CellFunction call) {
            number(call);
            CellType cells = call.input();
            return new CellType(cells.dtype(), cells.depth(), null).dataType();
        }

        @Override
        public boolean isNullable(CellFunction call) {
            Expression cells = call.arguments().get(0);
            return cells.dataType() instanceof ArrayType && cells.nullable();
        }

        private static Object number(CellFunction call) {
            DataType element = new CellType(call.input().dtype(), 0, null).dataType();
            Expression value = call.arguments().get(1);
            return CallArguments.constantNumber(value)
                    .flatMap(number -> held(number, element))
                    .orElseThrow(() -> new IllegalArgumentException("Cannot call " + call.prettyName() + ": value is "
                            + value.sql() + "; give a number that " + element.sql() + " holds"));
        }

        /** The number, if an element holds it: to an integer or a Boolean nothing is lost, and no number becomes infinite. */
        private static Optional<Object> held(Object number, DataType element) {
            Literal given = Literal$.MODULE$.apply(number);
            Object held = cast(given, element);
            if (held == null) {
                return Optional.empty();
            }
            double wanted = (double) cast(given, DataTypes.DoubleType);
            double got = (double) cast(new Literal(held, element), DataTypes.DoubleType);
            boolean isFloating = element.equals(DataTypes.FloatType) || element.equals(DataTypes.DoubleType);
            return (isFloating ? Double.isFinite(wanted) == Double.isFinite(got) : wanted == got)
                    ? Optional.of(held)
                    : Optional.empty();
        }

        private static Object cast(Literal number, DataType type) {
            return new Cast(number, type, Option.empty(), EvalMode.TRY()).eval(null);
        }

        @Override
        public RowFunction function(CellFunction call) {
            CellType cells = call.input();
            CellReader.Refusal refusal = call.refusal();
            CellReader elements = new CellReader(refusal, call.argument(0), new CellType(cells.dtype(), 0, null));
            return new Filling(refusal, cells.depth(), elements, number(call));
        }
    }

    private record Filling(CellReader.Refusal refusal, int depth, CellReader elements, Object number)
            implements RowFunction, Serializable {
        @Override
        public @Nullable Object evaluate(@Nullable Object[] cells) {
            Object cell = cells[0];
            if (depth > 0) {
                return cell == null ? null : filled((ArrayData) cell, new int[0]);
            }
            return cell == null ? number : cell;
        }

        private ArrayData filled(ArrayData array, int[] index) {
            boolean isLine = index.length == depth - 1;
            if (isLine && !hasNull(array)) {
                return array;
            }
            Object[] filled = new Object[array.numElements()];
            for (int i = 0; i < filled.length; i++) {
                if (isLine) {
                    Object element = elements.cell(array, i);
                    filled[i] = element == null ? number : element;
                    continue;
                }
                int[] place = Arrays.copyOf(index, index.length + 1);
                place[index.length] = i;
                if (array.isNullAt(i)) {
                    throw refusal.of("the array at " + Arrays.toString(place)
                            + " of input is null, and its size is not known; fill it yourself");
                }
                filled[i] = filled(array.getArray(i), place);
            }
            return new GenericArrayData(filled);
        }

        private static boolean hasNull(ArrayData array) {
            return IntStream.range(0, array.numElements()).anyMatch(array::isNullAt);
        }
    }
}
