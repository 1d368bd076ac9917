/**
 * Devices: how they are found, through {@link java.util.ServiceLoader}, what each must be able to do, what it costs there, and what is kept of its kernels. Touches expressions and nodes of reductions, no backend.
 */
@NullMarked
package io.github.broadloom.device;

import org.jspecify.annotations.NullMarked;
