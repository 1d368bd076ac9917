/** How jobs are run and measured, what their tasks may hold, and what executors tell of themselves. It touches {@code exec} and {@code exec.metrics}. */
@NullMarked
package io.github.broadloom.exec.jobs;

import org.jspecify.annotations.NullMarked;
