/**
 * Accumulators of reductions and scans, the loops over them, and what merges the partial results of chunks: in the order of {@code io.github.broadloom.kernels.reduce}. Touches no pass.
 */
@NullMarked
package io.github.broadloom.cpu.reduce;

import org.jspecify.annotations.NullMarked;
