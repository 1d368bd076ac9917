@NullMarked
package io.github.broadloom.device.cpu;

import org.jspecify.annotations.NullMarked;
