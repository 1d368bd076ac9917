/**
 * Where results go: sinks for npy, Arrow and folders of parts, which commit or abort, and tables of chunks. It touches {@code exec.files}, {@code exec.read} for the
 * form of files, and {@code exec.cache}.
 */
@NullMarked
package io.github.broadloom.exec.write;

import org.jspecify.annotations.NullMarked;
