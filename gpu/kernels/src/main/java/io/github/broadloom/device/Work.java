package io.github.broadloom.device;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.Tensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * What an expression takes, counted and not measured.
 *
 * @param bytesIn of its operands as they are stored: what is broadcast counts once
 * @param bytesOut of its result
 * @param movedBytes that its passes read and write
 * @param operations on elements, those that are no plain arithmetic several times
 * @param passes over memory: one, and one for each reduction
 */
public record Work(double bytesIn, double bytesOut, double movedBytes, double operations, int passes) {
    /** What exp, log and their kin cost, in simple operations. */
    private static final int FUNCTION = 8;

    /** The bytes of an operand that were not counted yet; of one that is not here yet, all that it will have. */
    private static double bytes(Input input, Set<Object> seen) {
        double viewed = (double) input.shape().numel() * input.dtype().bytes();
        if (input.source() instanceof Tensor tensor) {
            return seen.add(tensor.storage())
                    ? Math.min(viewed, tensor.storage().sizeBytes())
                    : 0;
        }
        return viewed;
    }

    /** The work of a simplified expression. */
    public static Work of(Expr root) {
        double in = 0;
        double between = 0;
        double operations = 0;
        int passes = 1;
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : root.postOrder()) {
            double elements = node.shape().numel();
            if (node instanceof Input input) {
                in += bytes(input, seen);
            } else if (node instanceof Apply apply) {
                operations += elements * (apply.op().ulp() > 1 ? FUNCTION : 1);
            } else if (node instanceof Reduce reduce) {
                operations += reduce.operand().shape().numel();
                passes++;
                between += node == root ? 0 : 2 * elements * node.dtype().bytes();
            } else if (node instanceof Contraction product) {
                operations += elements * 2 * product.contractedCount();
                passes++;
            } else if (node instanceof Along along) {
                operations += along.operand().shape().numel() * (double) FUNCTION;
                passes++;
            }
        }
        double out = (double) root.shape().numel() * root.dtype().bytes();
        return new Work(in, out, in + between + out, operations, passes);
    }
}
