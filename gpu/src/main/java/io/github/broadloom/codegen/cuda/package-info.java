/**
 * Kernels for NVIDIA GPUs: from a {@link io.github.broadloom.codegen.KernelSpec} and a {@link io.github.broadloom.codegen.LoopNest}
 * to CUDA C without headers, and to the launches that run it. Nothing here knows a driver or a compiler: sources are texts, launches
 * are values.
 */
@NullMarked
package io.github.broadloom.codegen.cuda;

import org.jspecify.annotations.NullMarked;
