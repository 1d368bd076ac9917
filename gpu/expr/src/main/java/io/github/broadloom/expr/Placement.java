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
