/** Devices and what every device must be able to do; the backends are found through {@link java.util.ServiceLoader}. */
@NullMarked
package io.github.broadloom.device;

import org.jspecify.annotations.NullMarked;
