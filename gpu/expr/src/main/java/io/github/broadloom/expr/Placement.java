package io.github.broadloom.expr;

import io.github.broadloom.tensor.Device;
import java.util.List;

/** PyTorch's rules for operands on several devices. */
final class Placement {
    private Placement() {}

    /**
     * The device of the result of a pointwise operation: zero-dim tensors of the CPU, and plain numbers, go with any.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the others are on different ones
     */
    static Device of(List<Expr> operands) {
        return common(operands, true);
    }

    /**
     * The device of operands none of which may be elsewhere.
     *
     * @throws IllegalArgumentException with PyTorch's text, where one is
     */
    static Device ofAll(List<Expr> operands) {
        return common(operands, false);
    }

    /**
     * The device of what is indexed, as between brackets: its own, which indices of the CPU go with, too.
     *
     * @throws IllegalArgumentException with PyTorch's text, where an index is elsewhere
     */
    static Device ofIndexed(Expr operand, List<Expr> indices) {
        for (Expr index : indices) {
            if (!index.device().isCpu() && !index.device().equals(operand.device())) {
                throw new IllegalArgumentException("indices should be either on " + Device.CPU
                        + " or on the same device as the indexed tensor (" + operand.device() + ")");
            }
        }
        return operand.device();
    }

    private static Device common(List<Expr> operands, boolean takesScalars) {
        Device common = operands.stream()
                .map(Expr::device)
                .filter(device -> !device.isCpu())
                .findFirst()
                .orElse(Device.CPU);
        if (common.isCpu()) {
            return common;
        }
        for (Expr operand : operands) {
            boolean goesWithAny = operand instanceof Literal
                    || takesScalars
                            && operand.device().isCpu()
                            && operand.shape().rank() == 0;
            if (!goesWithAny && !operand.device().equals(common)) {
                throw new IllegalArgumentException(
                        "Expected all tensors to be on the same device, but found at least two devices, " + common
                                + " and " + operand.device() + "!");
            }
        }
        return common;
    }
}
