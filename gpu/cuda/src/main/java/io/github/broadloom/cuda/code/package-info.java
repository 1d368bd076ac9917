/**
 * Kernels for NVIDIA GPUs: from a {@link io.github.broadloom.kernels.KernelSpec} and a {@link io.github.broadloom.kernels.LoopNest}
 * to CUDA C without headers, and to the launches that run it. Knows no driver and no compiler: sources are texts, launches are values.
 */
@NullMarked
package io.github.broadloom.cuda.code;

import org.jspecify.annotations.NullMarked;
