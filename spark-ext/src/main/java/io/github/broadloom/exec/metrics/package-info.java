/** What a task, a run and a JVM count: meters, metrics as accumulators of Spark, and the listener that assigns them to runs. It touches {@code exec} alone. */
@NullMarked
package io.github.broadloom.exec.metrics;

import org.jspecify.annotations.NullMarked;
