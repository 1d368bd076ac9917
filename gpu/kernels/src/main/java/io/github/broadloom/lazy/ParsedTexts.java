package io.github.broadloom.lazy;

import io.github.broadloom.device.Memo;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Texts that were read lately, for tensors of the same dtypes and shapes on the same devices: to put other tensors into an expression costs less
 * than half of reading it. No tensor is kept.
 */
final class ParsedTexts {
    private static final int CAPACITY = 512;

    private static final Memo<Key, Optional<Expr>> TEMPLATES = new Memo<>(CAPACITY);

    /** All that reading a text may depend on. */
    private record Key(String text, Map<String, Kind> names) {}

    private record Kind(DType dtype, Shape shape, Device device) {}

    /** What stands for a tensor of that name. */
    private record Slot(String name) {}

    private ParsedTexts() {}

    /** As {@link LazyTensor#parse}. */
    static Expr parse(String text, Map<String, Tensor> names) {
        if (BroadcastWarning.isEnabled()) { // it looks at each call
            return ExprParser.parse(text, inputs(names));
        }
        Map<String, Kind> kinds = new HashMap<>();
        names.forEach((name, tensor) -> kinds.put(name, new Kind(tensor.dtype(), tensor.shape(), tensor.device())));
        return TEMPLATES
                .value(new Key(text, kinds), key -> template(text, inputs(names)))
                .map(template -> template.mapInputs(input -> tensor(input, names)))
                .orElseGet(() -> ExprParser.parse(text, inputs(names)));
    }

    private static Input tensor(Input slot, Map<String, Tensor> names) {
        return Input.of(Objects.requireNonNull(names.get(((Slot) slot.source()).name())));
    }

    private static Map<String, Expr> inputs(Map<String, Tensor> names) {
        Map<String, Expr> inputs = new LinkedHashMap<>();
        names.forEach((name, tensor) -> inputs.put(name, Input.of(tensor)));
        return inputs;
    }

    /** The expression over slots; none where it reads more than the tensors themselves, as views of them, which are made at once. */
    private static Optional<Expr> template(String text, Map<String, Expr> inputs) {
        Map<Expr, String> nameOf = new IdentityHashMap<>();
        inputs.forEach((name, input) -> nameOf.put(input, name));
        Expr expr = ExprParser.parse(text, inputs);
        return expr.inputs().stream().allMatch(nameOf::containsKey)
                ? Optional.of(expr.mapInputs(input ->
                        Input.of(new Slot(Objects.requireNonNull(nameOf.get(input))), input.dtype(), input.shape())))
                : Optional.empty();
    }
}
