/** The developers' commands and what they check: conformance, accuracy, kernels and GPUs; everything else may be used here, and nothing uses it. */
@NullMarked
package io.github.broadloom.bench.checks;

import org.jspecify.annotations.NullMarked;
