/**
 * The nearest rows of one side to each row of another: scores of all pairs in blocks that stay in cache, and the few of them that are kept. Touches the graph and the devices.
 */
@NullMarked
package io.github.broadloom.nearest;

import org.jspecify.annotations.NullMarked;
