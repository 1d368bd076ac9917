package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows that come out: columns of a left and a right row, and the rank of both, which was computed to find them.
 *
 * @param columns over a row of both sides, and then the rank
 * @param ranking over a row of both sides; null where no rank comes out
 */
record JoinedOutput(
        List<Expression> columns,
        int rightColumns,
        @Nullable Expression ranking,
        RankKeys keys) implements Serializable {
    /** @param output what is of neither side is the rank */
    static JoinedOutput of(
            Seq<Attribute> output, Seq<Attribute> left, Seq<Attribute> right, Expression ranking, RankKeys keys) {
        Seq<Attribute> both = NearestPairs.output(left, right);
        List<Attribute> known = new ArrayList<>(CollectionConverters.asJava(both));
        AttributeSet sides = AttributeSet.apply(Scala.seq(List.<Expression>copyOf(known)));
        CollectionConverters.asJava(output).stream()
                .filter(column -> !sides.contains(column))
                .forEach(known::add);
        List<Expression> columns = new ArrayList<>();
        CollectionConverters.asJava(output).forEach(column -> columns.add(Bound.to(Scala.seq(known), column)));
        boolean isRanked = known.size() > both.size();
        return new JoinedOutput(columns, right.size(), isRanked ? Bound.to(both, ranking) : null, keys);
    }

    /** The columns of the right side that have to be there when rows come out. */
    static List<Attribute> wanted(Seq<Attribute> output, Seq<Attribute> right, Expression ranking, NearestSpec spec) {
        AttributeSet read = AttributeSet.apply(Scala.seq(List.<Expression>copyOf(CollectionConverters.asJava(output))));
        boolean evaluates = spec.unmatched() == NearestSpec.Unmatched.KEEP || !RankKeys.tellZero(ranking);
        AttributeSet known = evaluates ? read.$plus$plus(ranking.references()) : read;
        return CollectionConverters.asJava(right).stream()
                .filter(known::contains)
                .toList();
    }

    Writer writer() {
        return new Writer();
    }

    /** Makes rows, each of which is valid until the next. */
    final class Writer {
        private final UnsafeProjection projection = UnsafeProjection.create(Scala.seq(columns));
        private final JoinedRow joined = new JoinedRow();
        private final JoinedRow ranked = new JoinedRow();
        private final GenericInternalRow rank = new GenericInternalRow(1);
        private final InternalRow nobody = new GenericInternalRow(rightColumns);

        /** @param key of the rank */
        InternalRow row(InternalRow left, InternalRow right, long key) {
            joined.apply(left, right);
            return ranking == null ? projection.apply(joined) : ranked(ranking, keys.rank(key));
        }

        /** Of a left row without any other. */
        InternalRow unmatched(InternalRow left) {
            joined.apply(left, nobody);
            return ranking == null ? projection.apply(joined) : ranked(ranking, null);
        }

        /** @param known the rank; null where it is to be evaluated */
        private InternalRow ranked(Expression evaluated, @Nullable Object known) {
            rank.update(0, known == null ? evaluated.eval(joined) : known);
            return projection.apply(ranked.apply(joined, rank));
        }
    }
}
