/** Boxes and matrices of tensors, in their memory and in arrays. Touches layouts and raw memory alone. */
@NullMarked
package io.github.broadloom.cpu.memory;

import org.jspecify.annotations.NullMarked;
