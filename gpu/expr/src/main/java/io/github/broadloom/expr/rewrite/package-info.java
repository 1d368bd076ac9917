/** Rewrites of expressions into others with the same bits. Touches the graph and the rows. */
@NullMarked
package io.github.broadloom.expr.rewrite;

import org.jspecify.annotations.NullMarked;
