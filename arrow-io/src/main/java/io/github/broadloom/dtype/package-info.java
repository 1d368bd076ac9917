/** The element types, how they promote, and their numeric limits. */
@NullMarked
package io.github.broadloom.dtype;

import org.jspecify.annotations.NullMarked;
