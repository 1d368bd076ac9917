@NullMarked
package io.github.broadloom.shape;

import org.jspecify.annotations.NullMarked;
