/**
 * Expressions over tensors of this machine, which are computed when they are asked for. Touches the fluent operations and the devices.
 */
@NullMarked
package io.github.broadloom.lazy;

import org.jspecify.annotations.NullMarked;
