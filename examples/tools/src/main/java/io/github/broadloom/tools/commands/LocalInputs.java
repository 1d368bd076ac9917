package io.github.broadloom.tools.commands;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.Npz;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An expression over files of this machine, for a process without Spark. */
final class LocalInputs {
    private static final Pattern ARCHIVE = Pattern.compile("(.*\\.npz):([^/]*)");

    private LocalInputs() {}

    /** The expression, over inputs that are read now. */
    static LazyTensor parse(String expression, List<Binding> inputs) throws IOException {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Binding input : inputs) {
            Optional<Object> number = input.number();
            names.put(input.name(), number.isPresent() ? Expr.literal(number.get()) : Input.of(tensor(input)));
        }
        return LazyTensor.of(Tensors.scalar(0L)).withExpr(ExprParser.parse(expression, names));
    }

    private static Tensor tensor(Binding input) throws IOException {
        Optional<Tensor> list = input.list();
        if (list.isPresent()) {
            return list.get();
        }
        Matcher archive = ARCHIVE.matcher(input.value());
        return archive.matches()
                ? Npz.read(Path.of(archive.group(1)), archive.group(2))
                : Npy.read(Path.of(input.value()));
    }
}
