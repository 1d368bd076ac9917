/** A GPU on paper: what runs on it says which kernels it would take. */
@NullMarked
package io.github.broadloom.examples.paper;

import org.jspecify.annotations.NullMarked;
