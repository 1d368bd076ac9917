/**
 * Compressors, checksums and shuffles of bytes that formats of files share: each reads direct buffers, or memory, and writes into a buffer that has no more room than what belongs there. It knows {@code tensor}
 * alone.
 */
@NullMarked
package io.github.broadloom.codec;

import org.jspecify.annotations.NullMarked;
