package io.github.broadloom.testkit.conformance;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.StorageCopies;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.OptionalInt;

/** Computes on one device of this process, with tensors that live there, whatever their strides. */
public record LocalEngine(Device device) implements Engine {
    @Override
    public Expr place(Tensor tensor) {
        return Input.of(new StorageCopies(device).there(tensor));
    }

    @Override
    public Tensor evaluate(Expr expr) {
        return Devices.backend(device).evaluate(expr).to(Device.CPU);
    }

    @Override
    public UniqueValues unique(Expr expr, OptionalInt dim) {
        LazyTensor x = LazyTensor.of((Tensor) ((Input) expr).source());
        return dim.isPresent() ? x.unique(dim.getAsInt()) : x.unique();
    }

    @Override
    public Tensor inPlace(String op, Tensor a, Object other) {
        StorageCopies storages = new StorageCopies(device);
        Tensor target = storages.there(a);
        LazyTensor handle = LazyTensor.of(target);
        Object operand = other instanceof Tensor tensor ? storages.there(tensor) : other;
        if (op.equals(InPlaceKind.COPY)) {
            handle.copy_((Tensor) operand);
        } else {
            handle.apply_(Op.of(op), operand);
        }
        storages.bringBack(a);
        return a;
    }

    @Override
    public boolean hasStorage() {
        return true;
    }
}
