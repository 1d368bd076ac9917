/**
 * The order of reductions, which is part of their bits: the pairwise tree over places, its nodes, and what a scan carries. Touches no device.
 */
@NullMarked
package io.github.broadloom.kernels.reduce;

import org.jspecify.annotations.NullMarked;
