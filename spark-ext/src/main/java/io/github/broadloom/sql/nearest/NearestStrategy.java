package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.sql.nearest.NearestExec.Travel;
import java.math.BigInteger;
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

/** Plans joins with the nearest: rows of equal keys meet where the ranking names some; else the right side is broadcast where it is small enough; else the left, and parts of the right are searched; else the right is streamed. Columns that nobody reads above do not come out. */
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
        if (NearestTask.keys(
                        pairs.ranking(), pairs.left().output(), pairs.right().output())
                .isPresent()) {
            return join(pairs, output, Travel.KEYS);
        }
        long most = pairs.spec().bytes();
        long rightBytes = bytes(pairs.right());
        if (rightBytes > most && keptBytes(pairs) <= most) {
            SparkPlan parts = new NearestPartsExec(
                    planLater(pairs.left()),
                    planLater(pairs.right()),
                    NearestPartsExec.numbers(),
                    pairs.ranking(),
                    pairs.spec());
            return new NearestMergeExec(parts, output, pairs.spec());
        }
        return join(pairs, output, rightBytes <= most ? Travel.BROADCAST : Travel.STREAM);
    }

    private SparkPlan join(NearestPairs pairs, Seq<Attribute> output, Travel travel) {
        return new NearestExec(
                planLater(pairs.left()),
                planLater(pairs.right()),
                output,
                pairs.ranking(),
                pairs.spec(),
                travel,
                bytes(pairs.right()));
    }

    /** What a task keeps of all left rows: they, and the results of each. */
    private static long keptBytes(NearestPairs pairs) {
        long bytes = bytes(pairs.left());
        long rows = bytes / Math.max(1, rowBytes(pairs.left()));
        long results = pairs.spec().k() * (KLeast.bytes(1, 1) + rowBytes(pairs.right()));
        return rows > Long.MAX_VALUE / results - bytes ? Long.MAX_VALUE : bytes + rows * results;
    }

    private static long rowBytes(LogicalPlan side) {
        return side.output().toList().isEmpty() ? 1 : side.schema().defaultSize();
    }

    /** By Spark's estimate; at most what a long holds. */
    private static long bytes(LogicalPlan side) {
        return side.stats()
                .sizeInBytes()
                .bigInteger()
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
    }
}
