package io.github.broadloom.tensor;

import io.github.broadloom.dtype.Typed;

/** What an operation takes beside plain numbers: a tensor of this machine, or a handle on an expression, local or distributed. */
public interface TensorLike extends Typed {}
