/** Tensors over Arrow memory: storage and its ownership, views, copies and factories. */
@NullMarked
package io.github.broadloom.tensor;

import org.jspecify.annotations.NullMarked;
