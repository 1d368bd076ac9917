/**
 * The CUDA backend: expressions evaluated on a GPU, in pieces where they do not fit. Touches all that stands beside and below it; what has no kernel is the CPU's.
 */
@NullMarked
package io.github.broadloom.cuda;

import org.jspecify.annotations.NullMarked;
