/**
 * The string language: from text to expressions and back, and the page that lists its functions. Touches the graph and the rows.
 */
@NullMarked
package io.github.broadloom.expr.parse;

import org.jspecify.annotations.NullMarked;
