/**
 * Functions of plain numbers that Java does not have, for rows and for compiled kernels. Touches nothing else here.
 */
@NullMarked
package io.github.broadloom.expr.math;

import org.jspecify.annotations.NullMarked;
