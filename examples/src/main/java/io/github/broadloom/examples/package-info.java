@NullMarked
package io.github.broadloom.examples;

import org.jspecify.annotations.NullMarked;
