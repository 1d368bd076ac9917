@NullMarked
package io.github.broadloom.expr;

import org.jspecify.annotations.NullMarked;
