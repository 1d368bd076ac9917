/**
 * Operations as methods, for Java and for Scala, of whatever handle has an expression. Touches the graph, the rows and the string language.
 */
@NullMarked
package io.github.broadloom.expr.fluent;

import org.jspecify.annotations.NullMarked;
