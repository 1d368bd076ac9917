@NullMarked
package io.github.broadloom.dtype;

import org.jspecify.annotations.NullMarked;
