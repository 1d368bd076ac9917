package io.github.broadloom.exec;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;

/** The RDDs behind tensors. */
public final class Lineage {
    private Lineage() {}

    /** The chunks that Spark keeps of what an input stands for. */
    public static RDD<?> of(Expr input, SparkContext context) {
        return ((CachedSource) ((Input) input).source()).chunks(new Runner(context));
    }
}
