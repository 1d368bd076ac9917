package io.github.broadloom.expr;

/** Whether a reduced dimension stays with size one, as PyTorch's {@code keepdim}. */
public enum KeepDim {
    /** It stays, so that the result broadcasts against the operand. */
    KEEP,
    DROP
}
