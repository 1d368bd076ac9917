package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.sql.BatchSettings.When;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Takes the functions of tensors out of operators where they are worth a batch, into a {@link TensorBatchExec} below. Adaptive execution, which plans piece by piece, is given the same rule
 * for the whole plan, so that the batches show before it runs.
 */
final class BatchTensors extends ColumnarRule {
    /** By name: Spark has the second since 4.1. */
    private static final Set<String> ROW_BY_ROW = Set.of("ContinuousScanExec", "RealTimeStreamScanExec");

    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
        return new Batching();
    }

    static final class Batching extends Rule<SparkPlan> {
        @Override
        public SparkPlan apply(SparkPlan plan) {
            if (!isConcerned(plan) || isContinuous(plan)) {
                return plan; // nor refused for a wrong setting: SET and RESET are plans, too
            }
            BatchSettings settings = BatchSettings.of(conf());
            return settings.when() == When.NEVER ? plan : batched(plan, settings);
        }
    }

    private static boolean isConcerned(SparkPlan plan) {
        return plan.exists(part -> CollectionConverters.asJava(part.expressions()).stream()
                .anyMatch(expression -> expression.exists(TensorFunction.class::isInstance)));
    }

    /** Whether rows come one by one, and each is wanted at once: none may wait until a batch is full. */
    private static boolean isContinuous(SparkPlan plan) {
        return plan.exists(part -> ROW_BY_ROW.contains(part.getClass().getSimpleName()));
    }

    private static SparkPlan batched(SparkPlan plan, BatchSettings settings) {
        Batches batches = new Batches(settings);
        if (plan instanceof ProjectExec project && Batches.mayFilter(project.child())) {
            SparkPlan over = batchedChildren(project.child(), settings);
            SparkPlan below = batches.filter(over)
                    .map(filter -> batches.filtered(filter, project.projectList()))
                    .orElse(over);
            ProjectExec above = (ProjectExec) project.withNewChildren(Scala.seq(List.of(tagged(below, over))));
            return tagged(Extraction.of(above, settings), project);
        }
        SparkPlan over = batchedChildren(plan, settings);
        return tagged(batches.of(over), over);
    }

    private static SparkPlan batchedChildren(SparkPlan plan, BatchSettings settings) {
        Function1<SparkPlan, SparkPlan> deeper = child -> batched(child, settings);
        return (SparkPlan) plan.mapChildren(deeper);
    }

    /** What is in the place of an operator is known as what it was made of: adaptive execution asks. */
    private static SparkPlan tagged(SparkPlan plan, SparkPlan original) {
        if (plan != original) {
            plan.copyTagsFrom(original);
        }
        return plan;
    }
}
