/** The CUDA backend: the only package that touches JCuda. */
@NullMarked
package io.github.broadloom.device.cuda;

import org.jspecify.annotations.NullMarked;
