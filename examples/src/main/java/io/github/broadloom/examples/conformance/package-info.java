/** Runs conformance vectors (one JSON object per line, results computed by PyTorch) against Broadloom. */
@NullMarked
package io.github.broadloom.examples.conformance;

import org.jspecify.annotations.NullMarked;
