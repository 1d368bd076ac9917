package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.ProductOfParts;
import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Each row of the left side with those of the right side that are the nearest to it: what Spark's {@code NearestByJoin} means. */
public final class NearestPairs extends LogicalPlan implements ProductOfParts {
    private static final long serialVersionUID = 1;

    private final LogicalPlan left;
    private final LogicalPlan right;
    private final Expression ranking;
    private final NearestSpec spec;

    /** The operator. Spark makes copies of it by calling this with the {@linkplain #parts parts}. */
    public NearestPairs(LogicalPlan left, LogicalPlan right, Expression ranking, NearestSpec spec) {
        this.left = left;
        this.right = right;
        this.ranking = ranking;
        this.spec = spec;
    }

    LogicalPlan left() {
        return left;
    }

    LogicalPlan right() {
        return right;
    }

    Expression ranking() {
        return ranking;
    }

    NearestSpec spec() {
        return spec;
    }

    @Override
    public Seq<Attribute> output() {
        return output(left.output(), right.output());
    }

    /** All of both sides, each of which may be NULL: what Spark's own operator declares. */
    static Seq<Attribute> output(Seq<Attribute> left, Seq<Attribute> right) {
        List<Attribute> output = new ArrayList<>();
        for (Seq<Attribute> side : List.of(left, right)) {
            CollectionConverters.asJava(side).forEach(column -> output.add(column.withNullability(true)));
        }
        return Scala.seq(output);
    }

    @Override
    public Seq<LogicalPlan> children() {
        return Scala.seq(List.of(left, right));
    }

    @Override
    public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> others) {
        return new NearestPairs(others.apply(0), others.apply(1), ranking, spec);
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(left, right, ranking, spec);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NearestPairs that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }
}
