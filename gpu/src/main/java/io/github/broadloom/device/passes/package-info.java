/** How an expression is evaluated, on whichever device: as a list of passes over memory, each of which a backend lowers to its kernels. */
@NullMarked
package io.github.broadloom.device.passes;

import org.jspecify.annotations.NullMarked;
