/**
 * Kernels of the CPU: from a specification to Java source, and to a class that is compiled in memory. Touches specifications and the functions on the Vector API.
 */
@NullMarked
package io.github.broadloom.cpu.code;

import org.jspecify.annotations.NullMarked;
