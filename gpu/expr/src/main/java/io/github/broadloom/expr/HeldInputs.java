package io.github.broadloom.expr;

import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The tensors of this machine that an evaluation works on: whoever evaluates holds them until it is done, once for all of its passes and threads. */
public final class HeldInputs {
    private HeldInputs() {}

    /**
     * Holds what an evaluation reads and what it writes.
     *
     * @param written in addition to the tensors of the expression
     * @throws IllegalStateException where one of them was released, or an input was written to after the expression was built
     */
    public static Hold unchanged(Expr expr, Tensor... written) {
        List<Input> inputs = expr.inputs();
        Hold held = hold(inputs, written);
        try {
            inputs.forEach(Input::requireUnchanged);
            return held;
        } catch (IllegalStateException e) {
            held.close();
            throw e;
        }
    }

    /**
     * Holds what an evaluation reads, whatever was written to it since the expressions were built, and what it writes.
     *
     * @throws IllegalStateException where one of them was released
     */
    public static Hold current(List<? extends Expr> exprs, Tensor... written) {
        List<Input> inputs = new ArrayList<>();
        exprs.forEach(expr -> inputs.addAll(expr.inputs()));
        return hold(inputs, written);
    }

    private static Hold hold(List<Input> inputs, Tensor... written) {
        List<Tensor> tensors = new ArrayList<>(List.of(written));
        for (Input input : inputs) {
            if (input.source() instanceof Tensor tensor) {
                tensors.add(tensor);
            }
        }
        return Hold.of(tensors);
    }
}
