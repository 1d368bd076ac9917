/** Tensors on a Spark session: where programs enter. */
@NullMarked
package io.github.broadloom.spark;

import org.jspecify.annotations.NullMarked;
