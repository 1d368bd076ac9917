@NullMarked
package io.github.broadloom.lazy;

import org.jspecify.annotations.NullMarked;
