package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.sql.nearest.NearestExec.Travel;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans joins with the nearest: the right side is broadcast where it is small enough; else it is streamed. Columns that nobody reads above do not come out. */
public final class NearestStrategy extends SparkStrategy {
    private static final long serialVersionUID = 1;

    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        if (plan instanceof NearestPairs pairs) {
            return Scala.seq(List.of(planned(pairs, pairs.output())));
        }
        if (plan instanceof Project project && project.child() instanceof NearestPairs pairs) {
            SparkPlan below = planned(pairs, read(project, pairs));
            return Scala.seq(List.of(new ProjectExec(project.projectList(), below)));
        }
        return Scala.seq(List.of());
    }

    private static Seq<Attribute> read(Project project, NearestPairs pairs) {
        AttributeSet read = project.references();
        List<Attribute> output = new ArrayList<>();
        for (Attribute column : CollectionConverters.asJava(pairs.output())) {
            if (read.contains(column)) {
                output.add(column);
            }
        }
        return Scala.seq(output);
    }

    private SparkPlan planned(NearestPairs pairs, Seq<Attribute> output) {
        long rightBytes = bytes(pairs.right());
        Travel travel = rightBytes <= pairs.spec().bytes() ? Travel.BROADCAST : Travel.STREAM;
        return new NearestExec(
                planLater(pairs.left()),
                planLater(pairs.right()),
                output,
                pairs.ranking(),
                pairs.spec(),
                travel,
                rightBytes);
    }

    /** By Spark's estimate; at most what a long holds. */
    private static long bytes(LogicalPlan side) {
        return side.stats()
                .sizeInBytes()
                .bigInteger()
                .min(java.math.BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
    }
}
