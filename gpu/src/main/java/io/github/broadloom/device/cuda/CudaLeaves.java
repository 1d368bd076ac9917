package io.github.broadloom.device.cuda;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What the kernels of one evaluation read: tensors of the device, copies of those of this JVM, and what was computed before. */
final class CudaLeaves implements AutoCloseable {
    private final Lane lane;
    private final Map<Expr, Tensor> computed = new IdentityHashMap<>();
    private final Map<Tensor, Tensor> copies = new IdentityHashMap<>();
    private final Map<Tensor, Tensor> shared;
    private final List<Tensor> owned = new ArrayList<>();

    /** @param shared tensors of this JVM that are on the device already, and where */
    CudaLeaves(Lane lane, Map<Tensor, Tensor> shared) {
        this.lane = lane;
        this.shared = shared;
    }

    /** A tensor on the device, uninitialised, whose memory its storage owns. */
    Tensor fresh(DType dtype, Shape shape) {
        long bytes = dtype.sizeBytes(shape.numel());
        DeviceBlock block = lane.allocate(bytes);
        Storage storage = Storage.onDevice(lane.gpu().device(), block.address(), bytes, block::release);
        return Tensor.of(dtype, Layout.contiguous(shape), storage);
    }

    /** Takes a result, and its memory. */
    void put(Expr node, Tensor value) {
        computed.put(node, value);
        owned.add(value);
    }

    /** Takes a result in the memory of another one, or of an operand. */
    void putView(Expr node, Tensor view) {
        computed.put(node, view);
    }

    boolean has(Expr node) {
        return node instanceof Input || computed.containsKey(node);
    }

    /** The tensor of a leaf, on the device. */
    Tensor of(Expr leaf) {
        Tensor known = computed.get(leaf);
        if (known != null) {
            return known;
        }
        if (leaf instanceof Input input && input.source() instanceof Tensor tensor) {
            if (tensor.device().equals(lane.gpu().device())) {
                return tensor;
            }
            Tensor there = shared.get(tensor);
            return there != null ? there : copies.computeIfAbsent(tensor, this::copiedHere);
        }
        throw new IllegalArgumentException(
                "Cannot evaluate " + leaf + ": its source is no local tensor; replace the inputs first");
    }

    private Tensor copiedHere(Tensor tensor) {
        Tensor copy = copied(tensor);
        owned.add(copy);
        return copy;
    }

    /** A copy on the device: what is broadcast travels once and is expanded there. */
    Tensor copied(Tensor tensor) {
        Tensor distinct = tensor;
        for (int dim = 0; dim < tensor.rank(); dim++) {
            if (tensor.layout().stride(dim) == 0 && tensor.shape().size(dim) > 1) {
                distinct = distinct.narrow(dim, 0, 1);
            }
        }
        Tensor copy = distinct.device().isCpu()
                ? uploaded(distinct)
                : distinct.to(lane.gpu().device());
        return copy.expandAs(tensor);
    }

    private Tensor uploaded(Tensor tensor) {
        Tensor packed = tensor.contiguous();
        Tensor copy = fresh(tensor.dtype(), tensor.shape());
        lane.upload(packed.address(), copy.deviceAddress(), tensor.dtype().sizeBytes(tensor.numel()));
        lane.keep(packed);
        return copy;
    }

    /** Gives back what was computed and copied, when the lane's work is done. */
    @Override
    public void close() {
        owned.forEach(Tensor::release);
        owned.clear();
        copies.clear();
        computed.clear();
    }
}
