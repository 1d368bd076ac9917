/**
 * The rows: one for each pointwise operation, reduction and function of lines, with all that anybody has to know of it. Touches the graph only where a rule about dtypes looks at its arguments.
 */
@NullMarked
package io.github.broadloom.expr.ops;

import org.jspecify.annotations.NullMarked;
