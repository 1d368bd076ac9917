package io.github.broadloom.cuda.compiler;

import java.io.Serializable;

/**
 * A compiled kernel, as it travels to other JVMs.
 *
 * @param hash of its source, {@link io.github.broadloom.cuda.code.CudaSource#hash}
 * @param architecture for which it was compiled, as {@code sm_90}
 * @param image what a driver loads; shared, not to be written to
 */
public record Cubin(String hash, String architecture, byte[] image) implements Serializable {}
