/** What every command says, writes and reads of its options, and how it tells an error; of Spark it knows the exceptions. */
@NullMarked
package io.github.broadloom.tools.console;

import org.jspecify.annotations.NullMarked;
