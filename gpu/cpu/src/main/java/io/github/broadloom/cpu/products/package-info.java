/**
 * Products of matrices: GEMM and GEMV over blocks that are packed, with micro-kernels for each type of elements. Touches {@link io.github.broadloom.cpu.memory} and the Vector API.
 */
@NullMarked
package io.github.broadloom.cpu.products;

import org.jspecify.annotations.NullMarked;
