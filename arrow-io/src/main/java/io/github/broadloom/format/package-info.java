/**
 * Formats of files that hold arrays: which arrays there are, what they are made of, and how any box of one is read, from any place that has files. It knows {@code tensor},
 * {@code shape}, {@code dtype} and the errors of {@code io}; a format is a package of its own that only this one's interfaces make known.
 */
@NullMarked
package io.github.broadloom.format;

import org.jspecify.annotations.NullMarked;
