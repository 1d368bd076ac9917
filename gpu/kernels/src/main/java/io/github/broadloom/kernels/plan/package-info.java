/**
 * How an expression is evaluated, on whichever device: as a list of passes over memory, each of which a backend lowers to its kernels. Touches expressions and the specifications of kernels.
 */
@NullMarked
package io.github.broadloom.kernels.plan;

import org.jspecify.annotations.NullMarked;
