/** Cells of Spark's tables as tensors, and tensors as cells. */
@NullMarked
package io.github.broadloom.table;

import org.jspecify.annotations.NullMarked;
