/** The one entry of all programs: it may use every package of the tools, and finds the developers' commands without knowing them. */
@NullMarked
package io.github.broadloom.tools;

import org.jspecify.annotations.NullMarked;
