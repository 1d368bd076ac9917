/**
 * Operations on sparse tensors, computed on their entries by the kernels of dense tensors. Touches local expressions.
 */
@NullMarked
package io.github.broadloom.sparse;

import org.jspecify.annotations.NullMarked;
