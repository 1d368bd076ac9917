package io.github.broadloom.lazy;

import io.github.broadloom.device.Memo;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Texts that were read lately, for the same numbers and for tensors of the same dtypes and shapes on the same devices: to put other tensors into an
 * expression costs less than half of reading it. No tensor is kept.
 */
final class ParsedTexts {
    private static final int CAPACITY = 512;

    private static final Memo<Key, Optional<Expr>> TEMPLATES = new Memo<>(CAPACITY);

    /** All that reading a text may depend on: the kinds of tensors, and numbers. */
    private record Key(String text, Map<String, Object> names) {}

    private record Kind(DType dtype, Shape shape, Device device) {}

    /** What stands for a tensor of that name. */
    private record Slot(String name) {}

    private ParsedTexts() {}

    /**
     * The expression that a text says of others.
     *
     * @param values the elements of an expression, of what decides a shape
     */
    static Expr parse(String text, Map<String, Expr> names, Function<Expr, Tensor> values) {
        if (BroadcastWarning.isEnabled()) { // it looks at each call
            return ExprParser.parse(text, names, values);
        }
        Map<String, Object> kinds = new HashMap<>();
        names.forEach((name, expr) -> kind(expr).ifPresent(kind -> kinds.put(name, kind)));
        if (kinds.size() < names.size()) { // what is said of an expression may depend on all of it
            return ExprParser.parse(text, names, values);
        }
        AtomicReference<Expr> parsed = new AtomicReference<>(); // where it is the first time
        return TEMPLATES
                .value(new Key(text, kinds), key -> template(text, names, values, parsed))
                .map(template -> template.mapInputs(input -> tensor(input, names)))
                .orElseGet(() -> parsed.get() != null ? parsed.get() : ExprParser.parse(text, names, values));
    }

    private static Optional<Object> kind(Expr expr) {
        if (expr instanceof Literal literal) {
            return Optional.of(literal.value());
        }
        return expr instanceof Input input && input.source() instanceof Tensor
                ? Optional.of(new Kind(input.dtype(), input.shape(), input.device()))
                : Optional.empty();
    }

    private static Expr tensor(Input slot, Map<String, Expr> names) {
        return Objects.requireNonNull(names.get(((Slot) slot.source()).name()));
    }

    /** The expression over slots; none where it reads more than the tensors themselves, as views of them, which are made at once, or depends on the values of some. */
    private static Optional<Expr> template(
            String text, Map<String, Expr> names, Function<Expr, Tensor> values, AtomicReference<Expr> parsed) {
        Map<Expr, String> nameOf = new IdentityHashMap<>();
        names.forEach((name, input) -> nameOf.put(input, name));
        AtomicBoolean isOfValues = new AtomicBoolean();
        Expr expr = ExprParser.parse(text, names, decisive -> {
            isOfValues.set(true);
            return values.apply(decisive);
        });
        parsed.set(expr);
        return !isOfValues.get() && expr.inputs().stream().allMatch(nameOf::containsKey)
                ? Optional.of(expr.mapInputs(input ->
                        Input.of(new Slot(Objects.requireNonNull(nameOf.get(input))), input.dtype(), input.shape())))
                : Optional.empty();
    }
}
