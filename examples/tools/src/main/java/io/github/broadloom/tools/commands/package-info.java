/** What users run, a class for each command, and the programs that they show; all of Broadloom's public API is open to them. */
@NullMarked
package io.github.broadloom.tools.commands;

import org.jspecify.annotations.NullMarked;
