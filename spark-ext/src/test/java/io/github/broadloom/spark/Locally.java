package io.github.broadloom.spark;

import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.ReadSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** What distributed tensors stand for, as expressions over tensors of this machine: what Spark makes of them is compared with that. */
final class Locally {
    private final Map<Object, Expr> meanings = new IdentityHashMap<>();

    /** The tensor once it is kept; what it stands for is remembered, because a checkpoint forgets it. */
    DistributedTensor kept(DistributedTensor tensor, UnaryOperator<DistributedTensor> keep) {
        Expr meaning = of(tensor);
        DistributedTensor kept = keep.apply(tensor);
        meanings.put(((Input) kept.expr()).source(), meaning);
        return kept;
    }

    Expr of(DistributedTensor tensor) {
        return tensor.expr().mapInputs(this::input);
    }

    private Expr input(Input input) {
        Object source = input.source();
        if (source instanceof LocalSource local) {
            return Input.of(local.tensor());
        }
        if (source instanceof ReadSource file) {
            return Input.of(read(file));
        }
        if (source instanceof Tensor) {
            return input; // a view of one of these: a move has sunk to it
        }
        return Objects.requireNonNull(meanings.get(source), "This was not kept by kept()");
    }

    /** The elements, read here. */
    private static Tensor read(ReadSource file) {
        try {
            return file.reader().read(Box.whole(file.shape()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
