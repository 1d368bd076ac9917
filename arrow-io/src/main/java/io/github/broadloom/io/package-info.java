@NullMarked
package io.github.broadloom.io;

import org.jspecify.annotations.NullMarked;
