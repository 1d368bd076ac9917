package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What kernels read: tensors, and the results of what is computed before, which live here. */
final class Leaves implements AutoCloseable {
    private final Map<Expr, Tensor> computed = new IdentityHashMap<>();
    private final List<Tensor> owned = new ArrayList<>();
    private final @Nullable Leaves around;

    Leaves() {
        this(null);
    }

    /** @param around what was computed already, and stays there */
    Leaves(@Nullable Leaves around) {
        this.around = around;
    }

    /** Takes a result, and its memory. */
    void put(Expr node, Tensor value) {
        computed.put(node, value);
        owned.add(value);
    }

    /** Takes a result in the memory of another one, or of an input. */
    void putView(Expr node, Tensor view) {
        computed.put(node, view);
    }

    boolean has(Expr node) {
        return node instanceof Input || computed.containsKey(node) || (around != null && around.has(node));
    }

    /** The tensors that a program reads, in its order. */
    List<Tensor> of(PointwiseProgram program) {
        return program.leaves().stream().map(this::of).toList();
    }

    /** The tensor of one leaf. */
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
        throw new IllegalArgumentException(
                "Cannot evaluate " + leaf + ": its source is no local tensor; replace the inputs first");
    }

    /** Releases what was computed. */
    @Override
    public void close() {
        owned.forEach(tensor -> tensor.storage().release());
        owned.clear();
        computed.clear();
    }
}
