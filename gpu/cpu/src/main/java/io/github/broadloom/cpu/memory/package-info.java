/**
 * Boxes, lines and matrices between tensors' memory and arrays: strided copies and transposes. Touches layouts and raw memory alone.
 */
@NullMarked
package io.github.broadloom.cpu.memory;

import org.jspecify.annotations.NullMarked;
