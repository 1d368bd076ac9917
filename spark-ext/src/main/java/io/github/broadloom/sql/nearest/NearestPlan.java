package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.ProductOfParts;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;

/** What the operators that search have in common: what they count, and that those of equal parts are equal. */
abstract class NearestPlan extends SparkPlan implements ProductOfParts {
    private static final long serialVersionUID = 1;

    private transient @Nullable NearestMetrics metrics;

    final synchronized NearestMetrics counts() {
        if (metrics == null) {
            metrics = NearestMetrics.of(sparkContext());
        }
        return metrics;
    }

    @Override
    public scala.collection.immutable.Map<String, SQLMetric> metrics() {
        return counts().byName();
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof NearestPlan that && canEqual(that) && parts().equals(that.parts());
    }

    @Override
    public final int hashCode() {
        return parts().hashCode();
    }
}
