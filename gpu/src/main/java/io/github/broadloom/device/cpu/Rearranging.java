package io.github.broadloom.device.cpu;

import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.tensor.Aliasing;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Moves of whole results, and where the parts of a joined one may be written. */
final class Rearranging {
    private Rearranging() {}

    /**
     * The elements at their places, in fresh contiguous memory: that of the operand's own value where the moves leave it
     * contiguous.
     *
     * @param evaluate makes the fresh value of what is moved
     */
    static Tensor fresh(Rearrange root, Function<Expr, Tensor> evaluate) {
        Deque<Move> moves = new ArrayDeque<>();
        Expr operand = root;
        while (operand instanceof Rearrange rearrange) {
            moves.push(rearrange.move());
            operand = rearrange.operand();
        }
        boolean owned = !(operand instanceof Input);
        Tensor value = operand instanceof Input input && input.source() instanceof Tensor tensor
                ? tensor
                : evaluate.apply(operand);
        long elements = value.numel();
        for (Move move : moves) {
            Tensor moved = move.apply(value);
            if (moved.storage() != value.storage()) {
                release(value, owned);
                owned = true;
                elements = moved.numel();
            }
            value = moved;
        }
        if (owned && value.isContiguous() && value.numel() == elements) {
            return value;
        }
        Tensor copy = value.copy();
        release(value, owned);
        return copy;
    }

    private static void release(Tensor value, boolean owned) {
        if (owned) {
            value.storage().release();
        }
    }

    /** Whether no part reads what the parts before it have overwritten. */
    static boolean canWriteParts(Concat concat, Tensor target) {
        return concat.shape().equals(target.shape())
                && concat.inputs().stream()
                        .allMatch(input ->
                                input.source() instanceof Tensor read && Aliasing.of(read, target) == Aliasing.APART);
    }
}
