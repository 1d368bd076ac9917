package io.github.broadloom.expr;

import io.github.broadloom.tensor.Tensor;

/** The source of an input whose elements are those of a tensor of this machine, though it is no such tensor itself. */
public interface KnownTensor {
    /** @throws IllegalStateException where it was written to since it became a source */
    Tensor unchanged();

    /** A source of the same kind whose elements are those of another tensor. */
    KnownTensor beside(Tensor tensor, String name);
}
