/**
 * The GPUs of this machine: their memory, streams, copies and loaded kernels, through JCuda's driver API. Touches launches and machine code, no expression but what it is handed.
 */
@NullMarked
package io.github.broadloom.cuda.driver;

import org.jspecify.annotations.NullMarked;
