/**
 * The CPU backend: the passes of a plan over tiles of off-heap operands. Touches all that stands beside and below it, no GPU.
 */
@NullMarked
package io.github.broadloom.cpu;

import org.jspecify.annotations.NullMarked;
