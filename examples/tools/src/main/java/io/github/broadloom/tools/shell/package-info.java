/** The Scala shell; beside the console and the session it touches the Scala compiler alone. */
@NullMarked
package io.github.broadloom.tools.shell;

import org.jspecify.annotations.NullMarked;
