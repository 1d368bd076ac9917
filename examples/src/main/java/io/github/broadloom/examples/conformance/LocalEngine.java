package io.github.broadloom.examples.conformance;

import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Op;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;

/** Computes on one device of this process. */
public final class LocalEngine implements Engine {
    private final Device device;

    /** An engine on the given device. */
    public LocalEngine(Device device) {
        this.device = device;
    }

    @Override
    public Expr place(Tensor tensor) {
        return Input.of(tensor);
    }

    @Override
    public Tensor evaluate(Expr expr) {
        return Devices.backend(device).evaluate(expr);
    }

    @Override
    public Tensor inPlace(String op, Tensor a, Object other) {
        LazyTensor handle = LazyTensor.of(a);
        if (op.equals(InPlaceKind.COPY)) {
            handle.copy_((Tensor) other);
        } else {
            handle.apply_(Op.of(op), other);
        }
        return a;
    }

    @Override
    public boolean hasStorage() {
        return true;
    }
}
