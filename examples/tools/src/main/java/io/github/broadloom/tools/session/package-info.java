/** Spark's session for a command, with its options, and the files on either side of it; it stands on the console. */
@NullMarked
package io.github.broadloom.tools.session;

import org.jspecify.annotations.NullMarked;
