package io.github.broadloom.cpu.reduce;

import io.github.broadloom.device.Backend;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;

/** The value of an operand: a tensor that is there, or one that is made for it and released when this is closed. */
record Evaluated(Tensor value, boolean isOwn) implements AutoCloseable {
    static Evaluated of(Backend backend, Expr operand) {
        return operand instanceof Input input
                ? new Evaluated((Tensor) input.source(), false)
                : new Evaluated(backend.evaluate(operand), true);
    }

    @Override
    public void close() {
        if (isOwn) {
            value.release();
        }
    }
}
