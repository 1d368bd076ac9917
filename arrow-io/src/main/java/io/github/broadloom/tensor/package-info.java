@NullMarked
package io.github.broadloom.tensor;

import org.jspecify.annotations.NullMarked;
