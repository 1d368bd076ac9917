/** How far the operations are from the exact values, in units of the last place. */
@NullMarked
package io.github.broadloom.examples.accuracy;

import org.jspecify.annotations.NullMarked;
