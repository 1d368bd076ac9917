package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.metrics.MeteredFunction;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/** Brings the partial results of a fold to the driver. */
final class PartialsTask extends MeteredFunction<byte[], byte[]> {
    private static final long serialVersionUID = 1L;

    @Override
    protected byte[] run(TaskContext context, Iterator<byte[]> partials) {
        return partials.next();
    }
}
