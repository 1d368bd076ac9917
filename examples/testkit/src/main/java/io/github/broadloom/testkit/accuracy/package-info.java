/** How far the operations are from the exact values, in units of the last place; it evaluates expressions on any device, and knows no Spark. */
@NullMarked
package io.github.broadloom.testkit.accuracy;

import org.jspecify.annotations.NullMarked;
