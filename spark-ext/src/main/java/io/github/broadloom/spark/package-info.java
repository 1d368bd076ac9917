/** Tensors on a Spark session: where programs enter. It touches {@code plan} and {@code exec}, and of {@code sql} expressions as
 * functions of columns. */
@NullMarked
package io.github.broadloom.spark;

import org.jspecify.annotations.NullMarked;
