package io.github.broadloom.spark;

import io.github.broadloom.exec.CachedSource;
import io.github.broadloom.exec.FileSource;
import io.github.broadloom.exec.LocalSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What a distributed tensor stands for, as an expression over tensors of this machine: what Spark makes of it is compared with that. */
final class Locally {
    private Locally() {}

    static Expr of(DistributedTensor tensor) {
        return of(tensor.expr());
    }

    private static Expr of(Expr expr) {
        return expr.mapInputs(Locally::input);
    }

    /** The elements behind an input; those of files are read here. */
    private static Expr input(Input input) {
        Object source = input.source();
        if (source instanceof LocalSource local) {
            return Input.of(local.tensor());
        }
        if (source instanceof FileSource file) {
            return Input.of(read(file));
        }
        if (source instanceof CachedSource cached) {
            return of(Objects.requireNonNull(cached.expr(), "A checkpoint forgets what it was"));
        }
        return input;
    }

    private static Tensor read(FileSource file) {
        try {
            return file.reader()
                    .read(0, file.shape().rank() == 0 ? 1 : file.shape().size(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
