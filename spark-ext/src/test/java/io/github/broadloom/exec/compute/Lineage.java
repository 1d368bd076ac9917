package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;

/** The RDDs behind tensors. */
public final class Lineage {
    private Lineage() {}

    /** The chunks that Spark keeps of what an input stands for. */
    public static RDD<?> of(Expr input, SparkContext context) {
        return new PlanRunner(context).chunks((CachedSource) ((Input) input).source());
    }
}
