/**
 * Random numbers that depend on a seed, a stream and an element's place alone, so that they are the same however a tensor is cut. It knows {@code format}'s interface of readers and
 * what is below that.
 */
@NullMarked
package io.github.broadloom.random;

import org.jspecify.annotations.NullMarked;
