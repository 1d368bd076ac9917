package io.github.broadloom.tools.session;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;

/** When the first executor came: a cluster gives them some time after an application has started, and until then tasks wait. */
final class FirstExecutor extends SparkListener {
    private volatile long addedNanos;
    private volatile boolean isThere;

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
        if (!isThere) {
            addedNanos = System.nanoTime();
            isThere = true;
        }
    }

    /** How long what started then had no executor. */
    double secondsSince(long startedNanos) {
        return isThere ? Math.max(0, (addedNanos - startedNanos) / 1e9) : 0;
    }
}
