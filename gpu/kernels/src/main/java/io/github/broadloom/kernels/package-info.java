/**
 * What a kernel computes ({@link io.github.broadloom.kernels.KernelSpec}) and over which loops ({@link io.github.broadloom.kernels.LoopNest}), on whichever device. Touches expressions alone.
 */
@NullMarked
package io.github.broadloom.kernels;

import org.jspecify.annotations.NullMarked;
