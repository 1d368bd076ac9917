/**
 * Data sources of Spark's: files that hold one tensor as tables by the name of their format, with a row for each index of the leading dimension. It touches {@code table},
 * {@code plan} and {@code exec}, of which it has everything that is known of files.
 */
@NullMarked
package io.github.broadloom.source;

import org.jspecify.annotations.NullMarked;
