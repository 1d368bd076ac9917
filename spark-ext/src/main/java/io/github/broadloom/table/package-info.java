/** Cells of Spark's tables as tensors, and tensors as cells. It touches tensors and Spark's types, and starts no job. */
@NullMarked
package io.github.broadloom.table;

import org.jspecify.annotations.NullMarked;
