/** What Spark keeps: cached chunks, checkpoints, and their eviction where tensors need the memory. It touches {@code exec.jobs} and {@code exec.metrics}. */
@NullMarked
package io.github.broadloom.exec.cache;

import org.jspecify.annotations.NullMarked;
