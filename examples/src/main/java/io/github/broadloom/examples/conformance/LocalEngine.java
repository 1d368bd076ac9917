package io.github.broadloom.examples.conformance;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Op;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.Map;

/** Computes on one device of this process, with tensors that live there, whatever their strides. */
public final class LocalEngine implements Engine {
    private final Device device;

    /** An engine on the given device. */
    public LocalEngine(Device device) {
        this.device = device;
    }

    @Override
    public Expr place(Tensor tensor) {
        return Input.of(new Storages().there(tensor));
    }

    @Override
    public Tensor evaluate(Expr expr) {
        return Devices.backend(device).evaluate(expr).to(Device.CPU);
    }

    @Override
    public Tensor inPlace(String op, Tensor a, Object other) {
        Storages storages = new Storages();
        Tensor target = storages.there(a);
        LazyTensor handle = LazyTensor.of(target);
        Object operand = other instanceof Tensor tensor ? storages.there(tensor) : other;
        if (op.equals(InPlaceKind.COPY)) {
            handle.copy_((Tensor) operand);
        } else {
            handle.apply_(Op.of(op), operand);
        }
        storages.bringBack(a, target);
        return a;
    }

    @Override
    public boolean hasStorage() {
        return true;
    }

    /** The storages of some tensors on the device: what is shared stays so. */
    private final class Storages {
        private final Map<Storage, Storage> there = new IdentityHashMap<>();

        Tensor there(Tensor tensor) {
            if (device.isCpu() || device.equals(Device.AUTO)) {
                return tensor;
            }
            Storage storage = there.computeIfAbsent(
                    tensor.storage(), own -> bytes(own).to(device).storage());
            return Tensor.of(tensor.dtype(), tensor.layout(), storage);
        }

        void bringBack(Tensor tensor, Tensor there) {
            if (there != tensor) {
                bytes(tensor.storage()).copy_(bytes(there.storage()));
            }
        }

        private Tensor bytes(Storage storage) {
            return Tensor.of(DType.UINT8, Layout.contiguous(Shape.of(storage.sizeBytes())), storage);
        }
    }
}
