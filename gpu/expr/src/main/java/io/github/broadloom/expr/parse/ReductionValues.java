package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call of a {@link ReductionFunction}: by name an {@code int[]}, a Boolean, a Double, a {@link
 * DType} or a text. What is missing has its default.
 */
final class ReductionValues {
    private final Expr operand;
    private final Map<String, Object> given = new HashMap<>();
    private final Function<String, RuntimeException> refusal;

    /** @param refusal makes the error of a sentence */
    ReductionValues(Expr operand, Function<String, RuntimeException> refusal) {
        this.operand = operand;
        this.refusal = refusal;
    }

    /** Whether there was none of that name before. */
    boolean put(String name, Object value) {
        return given.put(name, value) == null;
    }

    Expr operand() {
        return operand;
    }

    /** The operand in the dtype that is given, if one is. */
    Expr converted() {
        DType dtype = dtype();
        return dtype == null ? operand : Expr.cast(operand, dtype);
    }

    /** The dimensions; empty means all. */
    int[] dims() {
        return given.get("dim") instanceof int[] dims ? dims : new int[0];
    }

    OptionalInt optionalDim() {
        return dims().length == 0 ? OptionalInt.empty() : OptionalInt.of(dim());
    }

    /** The one dimension that the function needs. */
    int dim() {
        if (dims().length != 1) {
            throw refusal.apply(dims().length + " dimensions given; it goes along one, such as dim=0");
        }
        return dims()[0];
    }

    KeepDim keepDim() {
        return flag("keepdim", false) ? KeepDim.KEEP : KeepDim.DROP;
    }

    boolean flag(String name, boolean otherwise) {
        return given.get(name) instanceof Boolean value ? value : otherwise;
    }

    double real(String name, double otherwise) {
        return given.get(name) instanceof Double value ? value : otherwise;
    }

    /** What must be given: by its name as {@link ReductionCall} reads it. */
    Object required(String name) {
        Object value = given.get(name);
        if (value == null) {
            throw refusal.apply(name + " is missing; give a plain number");
        }
        return value;
    }

    /** Refuses two arguments of which one says all. */
    void checkOne(String name, String other) {
        if (given.containsKey(name) && given.containsKey(other)) {
            throw refusal.apply(name + " and " + other + " are both given; give one of them");
        }
    }

    boolean hasText(String name) {
        return given.get(name) instanceof String;
    }

    String text(String name, String otherwise) {
        return given.get(name) instanceof String value ? value : otherwise;
    }

    @Nullable DType dtype() {
        return given.get("dtype") instanceof DType value ? value : null;
    }
}
