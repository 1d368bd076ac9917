package io.github.broadloom.exec.read;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.math.Ordering;

/** The column by which rows are ordered, the second one. Every row must have a value of its own there, or Spark may put them in another order when it reads them again. */
record RowKeys(String name, StructField key, Kind kind) implements Serializable {
    private static final int COLUMN = 1;
    private static final String NUMBER = "; number the rows from 0 on, without gaps";

    enum Kind {
        /** Any that tell rows from each other. */
        NAMES,
        /** The numbers of the rows, from 0 on without gaps. */
        PLACES
    }

    /** @throws IllegalArgumentException where Spark cannot order by it, or it cannot have places */
    RowKeys {
        if (!RowOrdering.isOrderable(key.dataType())) {
            throw refused(name, "it is " + key.dataType().sql() + ", which has no order");
        }
        if (kind == Kind.PLACES && !(key.dataType() instanceof IntegralType)) {
            throw refused(name, "it is " + key.dataType().sql() + "; number the rows with whole numbers, from 0 on");
        }
    }

    /**
     * Holds the first place in a partition against the rows before it.
     *
     * @param first null where there is none, or keys are no places
     */
    void checkFirst(@Nullable Long first, long rowsBefore) {
        if (first != null && first != rowsBefore) {
            throw refused(first < 0 ? "a row has " + first + NUMBER : missing(rowsBefore));
        }
    }

    private static String missing(long place) {
        return "no row has " + place + NUMBER;
    }

    /** Looks at the keys of one partition, in which they are in order. */
    final class Check {
        private final Ordering<Object> ordering = TypeUtils.getInterpretedOrdering(key.dataType());
        private final Function2<SpecializedGetters, Object, Object> keys =
                InternalRow.getAccessor(key.dataType(), false);
        private @Nullable Object last;
        private @Nullable Long first;

        /** The first place of the partition; null where there is none, or keys are no places. */
        @Nullable Long first() {
            return first;
        }

        /** What is wrong with a row that follows those before; null where nothing is. */
        @Nullable String problem(InternalRow row) {
            if (row.isNullAt(COLUMN)) {
                return "a row has none (null); fill it, or filter such rows out";
            }
            Object next = keys.apply(row, COLUMN);
            if (last != null && ordering.equiv(last, next)) {
                return "two rows have " + new Literal(next, key.dataType()).sql()
                        + "; order by a column that tells every row from the others";
            }
            if (kind == Kind.PLACES) {
                long place = ((Number) next).longValue();
                if (last instanceof Number before && before.longValue() + 1 != place) {
                    return missing(before.longValue() + 1);
                }
                first = first == null ? Long.valueOf(place) : first;
            }
            last = InternalRow.copyValue(next);
            return null;
        }
    }

    IllegalArgumentException refused(String problem) {
        return refused(name, problem);
    }

    private static IllegalArgumentException refused(String name, String problem) {
        return new IllegalArgumentException("Cannot order rows by " + name + ": " + problem);
    }
}
