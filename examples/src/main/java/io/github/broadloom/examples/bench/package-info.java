/** Measures the workloads of the documentation, beside what people use instead, in one run on one machine. */
@NullMarked
package io.github.broadloom.examples.bench;

import org.jspecify.annotations.NullMarked;
