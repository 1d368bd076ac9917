/** Measures the workloads of the documentation beside what people use instead, in one run on one machine; it stands on the library and on the tools' console and session. */
@NullMarked
package io.github.broadloom.bench;

import org.jspecify.annotations.NullMarked;
