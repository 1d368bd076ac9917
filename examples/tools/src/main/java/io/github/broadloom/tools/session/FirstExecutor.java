package io.github.broadloom.tools.session;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.jspecify.annotations.Nullable;

/** When the first executor came: a cluster gives them some time after an application has started, and until then tasks wait. */
final class FirstExecutor extends SparkListener {
    private @Nullable Long addedNanos;

    /** Of a context that was just made. */
    static FirstExecutor of(SparkContext context) {
        FirstExecutor first = new FirstExecutor();
        context.addSparkListener(first);
        if (context.getExecutorMemoryStatus().size() > 1) { // beside the driver
            first.added();
        }
        return first;
    }

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded added) {
        added();
    }

    private synchronized void added() {
        if (addedNanos == null) {
            addedNanos = System.nanoTime();
        }
    }

    /** How long what started then had no executor. */
    synchronized double secondsSince(long startedNanos) {
        return addedNanos == null ? 0 : Math.max(0, (addedNanos - startedNanos) / 1e9);
    }
}
