/** The CPU backend: tiles of off-heap operands, kernels compiled in memory, reductions with an order fixed by the shape. */
@NullMarked
package io.github.broadloom.device.cpu;

import org.jspecify.annotations.NullMarked;
