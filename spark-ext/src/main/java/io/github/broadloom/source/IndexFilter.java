package io.github.broadloom.source;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;

/**
 * Which rows a condition on the index leaves.
 *
 * @param index the column, which is never null
 * @param rows how many there are
 */
record IndexFilter(String index, long rows) {

    RowRanges all() {
        return RowRanges.of(0, rows);
    }

    /** Exactly the rows for which the condition holds; empty where it asks for anything but the index. */
    Optional<RowRanges> rows(Filter condition) {
        if (condition instanceof And and) {
            return rows(and.left()).flatMap(left -> rows(and.right()).map(left::and));
        }
        if (condition instanceof Or or) {
            return rows(or.left()).flatMap(left -> rows(or.right()).map(left::or));
        }
        boolean ofIndex = condition.references().length == 1 && condition.references()[0].equals(index);
        return ofIndex ? ofIndex(condition).map(all()::and) : Optional.empty();
    }

    private Optional<RowRanges> ofIndex(Filter condition) {
        if (condition instanceof EqualTo equal) {
            return place(equal.value()).map(IndexFilter::one);
        }
        if (condition instanceof EqualNullSafe equal) {
            return place(equal.value()).map(IndexFilter::one);
        }
        if (condition instanceof GreaterThan greater) {
            return place(greater.value()).map(place -> RowRanges.of(place + 1, rows));
        }
        if (condition instanceof GreaterThanOrEqual greater) {
            return place(greater.value()).map(place -> RowRanges.of(place, rows));
        }
        if (condition instanceof LessThan less) {
            return place(less.value()).map(place -> RowRanges.of(0, place));
        }
        if (condition instanceof LessThanOrEqual less) {
            return place(less.value()).map(place -> RowRanges.of(0, place + 1));
        }
        if (condition instanceof In in) {
            return Optional.of(anyOf(in.values()));
        }
        return condition instanceof IsNotNull ? Optional.of(all()) : Optional.empty();
    }

    private RowRanges anyOf(Object[] values) {
        return RowRanges.joined(Arrays.stream(values)
                .flatMap(value -> place(value).stream())
                .flatMap(place -> one(place).ranges().stream()));
    }

    private static RowRanges one(long place) {
        return RowRanges.of(place, place + 1);
    }

    /** Of a place beyond all rows the next one, so that nothing overflows. */
    private Optional<Long> place(Object value) {
        return value instanceof Long place ? Optional.of(Math.max(-1, Math.min(place, rows))) : Optional.empty();
    }
}
