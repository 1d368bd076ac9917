@NullMarked
package io.github.broadloom.arrow;

import org.jspecify.annotations.NullMarked;
