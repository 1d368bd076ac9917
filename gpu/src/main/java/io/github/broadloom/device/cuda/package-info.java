@NullMarked
package io.github.broadloom.device.cuda;

import org.jspecify.annotations.NullMarked;
