package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.PairBlocks;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What tasks are told of a join; all expressions find their columns by place.
 *
 * @param join which it is: all of its tasks are told the same
 * @param ranking over a row of both sides
 */
record NearestTask(UUID join, NearestSpec spec, RankingForm form, Expression ranking, RankKeys keys)
        implements Serializable {
    static NearestTask of(NearestSpec spec, Expression ranking, Seq<Attribute> left, Seq<Attribute> right) {
        return new NearestTask(
                UUID.randomUUID(),
                spec,
                form(spec, ranking, left, right).bound(left, right),
                Bound.to(NearestPairs.output(left, right), ranking),
                RankKeys.of(ranking, spec.order()));
    }

    /** How many left rows are searched for together. */
    int rowsAtOnce() {
        return PairBlocks.rowsAtOnce(spec.k());
    }

    static RankingForm form(NearestSpec spec, Expression ranking, Seq<Attribute> left, Seq<Attribute> right) {
        return RankingForm.of(ranking, set(left), set(right), spec.order());
    }

    /** How pairs are found, and where. */
    static String described(NearestSpec spec, Expression ranking, Seq<Attribute> left, Seq<Attribute> right) {
        RankingForm form = form(spec, ranking, left, right);
        return form + (spec.device().isCpu() ? "" : form.on(spec.device(), spec.k()));
    }

    static Optional<EqualKeys> keys(Expression ranking, Seq<Attribute> left, Seq<Attribute> right) {
        return EqualKeys.of(ranking, set(left), set(right));
    }

    private static AttributeSet set(Seq<Attribute> columns) {
        return AttributeSet.apply(Scala.seq(List.<Expression>copyOf(CollectionConverters.asJava(columns))));
    }
}
