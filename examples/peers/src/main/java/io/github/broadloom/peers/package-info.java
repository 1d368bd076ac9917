/** Other libraries of the JVM, measured by {@code examples/run bench}, which starts {@link io.github.broadloom.peers.Peer}. */
@NullMarked
package io.github.broadloom.peers;

import org.jspecify.annotations.NullMarked;
