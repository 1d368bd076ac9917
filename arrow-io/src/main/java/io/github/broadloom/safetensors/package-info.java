/** Files of named tensors as safetensors has them, the format in which trained models are published. */
@NullMarked
package io.github.broadloom.safetensors;

import org.jspecify.annotations.NullMarked;
