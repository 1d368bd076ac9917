/**
 * The formats by which tensors are read and written, each with its source and its sink, found by name, by the end of a path, or by what lies there. It touches {@code
 * exec.read}, {@code exec.write} and {@code exec.files}.
 */
@NullMarked
package io.github.broadloom.exec.formats;

import org.jspecify.annotations.NullMarked;
