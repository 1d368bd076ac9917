@NullMarked
package io.github.broadloom.device;

import org.jspecify.annotations.NullMarked;
