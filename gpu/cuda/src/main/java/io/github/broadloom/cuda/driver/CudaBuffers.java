package io.github.broadloom.cuda.driver;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What the kernels of one evaluation read: tensors of the device, copies of those of this JVM, and what was computed before. */
public final class CudaBuffers implements AutoCloseable {
    private final DeviceWork work;
    private final Map<Expr, Tensor> computed = new IdentityHashMap<>();
    private final Map<Tensor, Tensor> copies = new IdentityHashMap<>();
    private final Map<Tensor, Tensor> shared;
    private final List<Tensor> owned = new ArrayList<>();

    /** @param shared tensors of this JVM that are on the device already, and where */
    public CudaBuffers(DeviceWork work, Map<Tensor, Tensor> shared) {
        this.work = work;
        this.shared = shared;
    }

    /** A tensor of the device for the value of a node, which is a leaf from now on. */
    public Tensor fresh(Expr node) {
        Tensor value = memory(node);
        computed.put(node, value);
        return value;
    }

    /** A tensor of the device for a copy of what a node is. The node is no leaf by it: an operand that is the whole expression is not its own result. */
    public Tensor memory(Expr node) {
        return memory(node.dtype(), node.shape());
    }

    /** A tensor of the device, which is given back with all others. */
    public Tensor memory(DType dtype, Shape shape) {
        Tensor memory = work.fresh(dtype, shape);
        owned.add(memory);
        return memory;
    }

    /** Takes a value in the memory of another one, or of an operand. */
    public void putView(Expr node, Tensor view) {
        computed.put(node, view);
    }

    public boolean has(Expr node) {
        return node instanceof Input || computed.containsKey(node);
    }

    public Tensor of(Expr leaf) {
        Tensor known = computed.get(leaf);
        if (known != null) {
            return known;
        }
        if (leaf instanceof Input input && input.source() instanceof Tensor tensor) {
            if (work.holds(tensor)) {
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

    /** Of every dimension that repeats one element, that element. */
    public static Tensor unexpanded(Tensor tensor) {
        Tensor distinct = tensor;
        for (int dim = 0; dim < tensor.rank(); dim++) {
            if (tensor.layout().stride(dim) == 0 && tensor.shape().size(dim) > 1) {
                distinct = distinct.narrow(dim, 0, 1);
            }
        }
        return distinct;
    }

    /** A copy on the device: what is broadcast travels once and is expanded there. The tensor stays as it is until the work is done. */
    public Tensor copied(Tensor tensor) {
        Tensor distinct = unexpanded(tensor);
        return Cleanup.filled(work.fresh(distinct.dtype(), distinct.shape()), copy -> {
            work.startUpload(distinct, copy);
            return copy.expandAs(tensor);
        });
    }

    /** Gives back what was computed and copied, when the work is done. */
    @Override
    public void close() {
        owned.forEach(Tensor::release);
        owned.clear();
        copies.clear();
        computed.clear();
    }
}
