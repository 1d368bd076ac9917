@NullMarked
package io.github.broadloom.exec;

import org.jspecify.annotations.NullMarked;
