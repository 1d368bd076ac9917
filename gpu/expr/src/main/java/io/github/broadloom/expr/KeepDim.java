package io.github.broadloom.expr;

/**
 * Whether a reduced dimension stays with size one, as PyTorch's {@code keepdim}. In every method it stands right before the dimensions, and these stand last:
 * {@code x.sum(KeepDim.KEEP, 0, 2)}, {@code x.argmax(KeepDim.KEEP, 1)}, {@code x.var(0, KeepDim.DROP, 1)}.
 */
public enum KeepDim {
    /** It stays, so that the result broadcasts against the operand. */
    KEEP,
    DROP;

    /** What PyTorch's flag of that name says. */
    public static KeepDim of(boolean keepdim) {
        return keepdim ? KEEP : DROP;
    }

    /** Whether it stays. */
    public boolean keeps() {
        return this == KEEP;
    }
}
