/** Runs conformance vectors (one JSON object per line, results computed by PyTorch) on an engine; that of this process is here, and nothing of Spark. */
@NullMarked
package io.github.broadloom.testkit.conformance;

import org.jspecify.annotations.NullMarked;
