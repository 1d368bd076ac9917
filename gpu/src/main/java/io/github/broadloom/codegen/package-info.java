/** From a pointwise expression to a kernel's source: what is computed (KernelSpec), over which loops (LoopNest). */
@NullMarked
package io.github.broadloom.codegen;

import org.jspecify.annotations.NullMarked;
