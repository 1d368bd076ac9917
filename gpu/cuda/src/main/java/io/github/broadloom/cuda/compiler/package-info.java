/**
 * From CUDA C to machine code: NVRTC, where it is found, and the folders and jars that keep what was compiled. Touches JCuda's NVRTC, no driver and no GPU.
 */
@NullMarked
package io.github.broadloom.cuda.compiler;

import org.jspecify.annotations.NullMarked;
