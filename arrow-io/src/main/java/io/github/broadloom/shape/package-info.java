/** Sizes, layouts and broadcasting: pure index arithmetic, without memory. */
@NullMarked
package io.github.broadloom.shape;

import org.jspecify.annotations.NullMarked;
