/** Tensors on a Spark session: where programs enter. It touches {@code plan} and {@code exec}, and nothing of SQL. */
@NullMarked
package io.github.broadloom.spark;

import org.jspecify.annotations.NullMarked;
