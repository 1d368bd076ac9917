/**
 * Tensors for clients of Spark Connect, which have no JVM: they read tables, whose options are requests. It stands on {@code spark}, and on {@code table} for what a tensor
 * is as rows.
 */
@NullMarked
package io.github.broadloom.connect;

import org.jspecify.annotations.NullMarked;
