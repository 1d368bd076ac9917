package io.github.broadloom.cpu;

import io.github.broadloom.device.DryRunMemory;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What kernels read: tensors, and the results of what is computed before, which live here. */
final class Buffers implements AutoCloseable {
    private final Map<Expr, Tensor> computed = new IdentityHashMap<>();
    private final Map<Storage, Tensor> owned = new IdentityHashMap<>();
    private final boolean dryRun;
    private final @Nullable Buffers around;

    Buffers() {
        this(false, null);
    }

    /** @param around what was computed already, and stays there */
    Buffers(Buffers around) {
        this(around.dryRun, around);
    }

    private Buffers(boolean dryRun, @Nullable Buffers around) {
        this.dryRun = dryRun;
        this.around = around;
    }

    /** Those of an evaluation that computes nothing: results have no elements. */
    static Buffers dryRun() {
        return new Buffers(true, null);
    }

    /** Memory for the value of a node, contiguous and uninitialised, which is released with all others. */
    Tensor fresh(Expr node) {
        Tensor value = dryRun
                ? DryRunMemory.tensor(node.dtype(), Layout.contiguous(node.shape()))
                : Tensors.empty(node.dtype(), node.shape());
        owned.put(value.storage(), value);
        return value;
    }

    void put(Expr node, Tensor value) {
        computed.put(node, value);
        owned.put(value.storage(), value);
    }

    /** Takes a result in the memory of another one, or of an input. */
    void putView(Expr node, Tensor view) {
        computed.put(node, view);
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** The values of the nodes that are there, in a dry run all of them, each tensor as one. */
    Function<Expr, @Nullable Tensor> dryRunTensors() {
        Map<Tensor, Tensor> standIns = new IdentityHashMap<>();
        return node -> has(node)
                ? standIns.computeIfAbsent(of(node), value -> DryRunMemory.tensor(value.dtype(), value.layout()))
                : null;
    }

    boolean has(Expr node) {
        return node instanceof Input || computed.containsKey(node) || (around != null && around.has(node));
    }

    List<Tensor> of(PointwiseProgram program) {
        return program.leaves().stream().map(this::of).toList();
    }

    /** The tensor of one leaf. In a dry run an input that is no tensor stands for a contiguous one. */
    Tensor of(Expr leaf) {
        @Nullable Tensor inner = computed.get(leaf);
        if (inner != null) {
            return inner;
        }
        if (around != null && around.has(leaf)) {
            return around.of(leaf);
        }
        if (leaf instanceof Input input && input.source() instanceof Tensor tensor) {
            return tensor;
        }
        if (dryRun) {
            return fresh(leaf);
        }
        throw new IllegalArgumentException(
                "Cannot evaluate " + leaf + ": its source is no local tensor; replace the inputs first");
    }

    /** The value of a node as a contiguous tensor with memory of its own: that of the value where it takes all of it, which is no longer released here, else a copy. */
    Tensor take(Expr node) {
        Tensor value = of(node);
        Tensor whole = owned.get(value.storage());
        if (whole == null || !value.isContiguous() || value.numel() != whole.numel()) {
            return value.copy();
        }
        owned.remove(value.storage());
        return value;
    }

    void release(Expr node) {
        Tensor value = computed.remove(node);
        if (value != null) {
            owned.remove(value.storage());
            value.storage().release();
        }
    }

    @Override
    public void close() {
        owned.keySet().forEach(Storage::release);
        owned.clear();
        computed.clear();
    }
}
