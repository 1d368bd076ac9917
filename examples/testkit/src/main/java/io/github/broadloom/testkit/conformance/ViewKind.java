package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Views taken one after another of {@code arange} in the shape {@code start}: their layout, sharing and values; and the
 * same moves of an expression, which have to give the same values and refusals.
 */
final class ViewKind implements Kind {
    @Override
    public Optional<String> unknownOp(Vector vector) {
        for (JsonNode step : vector.field("steps")) {
            String name = step.path(0).asText("");
            if (!ViewStep.known(name)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Tensor start = start(vector.dtype("dtype"), Vector.shape(vector.field("start")));
        Optional<Expr> moved = Optional.of(engine.place(start));
        Tensor view = start;
        for (JsonNode step : vector.field("steps")) {
            Optional<Expr> operand = moved;
            moved = operand.map(expr -> ViewStep.apply(expr, step));
            view = ViewStep.apply(view, step);
        }
        Map<String, Object> facts = facts(view, start);
        if (moved.isPresent()) {
            Tensor computed = engine.evaluate(moved.get());
            facts.put("shape", boxed(computed.shape().toArray()));
            if (!computed.values().equals(view.values())) {
                facts.put("values", computed.values());
            }
        }
        return new VectorAnswer(facts::toString, () -> mismatch(vector, facts));
    }

    /** What a view is, by the name of the field that expects it. */
    private static Map<String, Object> facts(Tensor view, Tensor start) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("shape", boxed(view.shape().toArray()));
        facts.put("stride", boxed(view.layout().strides()));
        facts.put("offset", view.layout().offset());
        facts.put("contiguous", view.isContiguous());
        facts.put("shares_storage", sameStorage(view, start));
        facts.put("values", view.values());
        return facts;
    }

    /** Holds what the vector speaks of against the facts; after a copy it says nothing of strides, or has null. */
    private static Optional<VectorAnswer.Mismatch> mismatch(Vector vector, Map<String, Object> facts) {
        JsonNode expect = vector.field("expect");
        Vector.member(expect, "shape");
        Vector.member(expect, "values");
        Map<String, Object> wanted = new LinkedHashMap<>();
        Map<String, Object> got = new LinkedHashMap<>();
        facts.forEach((name, fact) -> {
            JsonNode field = expect.path(name);
            if (!field.isMissingNode() && !field.isNull()) {
                wanted.put(name, expected(name, field, vector));
                got.put(name, fact);
            }
        });
        return wanted.equals(got)
                ? Optional.empty()
                : Optional.of(new VectorAnswer.Mismatch(wanted.toString(), got.toString()));
    }

    private static Object expected(String name, JsonNode field, Vector vector) {
        return switch (name) {
            case "shape", "stride" -> boxed(Vector.longs(field));
            case "offset" -> Vector.integer(field);
            case "values" -> Vector.values(field, vector.dtype("dtype"));
            default -> field.asBoolean();
        };
    }

    private static Tensor start(DType dtype, Shape shape) {
        List<Object> values = LongStream.range(0, shape.numel())
                .mapToObj(i -> value(i, dtype))
                .toList();
        return Tensors.fromStorageValues(dtype, Layout.contiguous(shape), values);
    }

    private static Object value(long i, DType dtype) {
        if (dtype == DType.BOOL) {
            return i != 0;
        }
        return dtype.isFloatingPoint() ? (Object) (double) i : (Object) i;
    }

    @SuppressWarnings("ReferenceEquality") // a view shares the very storage, not one that is equal
    private static boolean sameStorage(Tensor view, Tensor start) {
        return view.storage() == start.storage();
    }

    private static List<Long> boxed(long[] values) {
        return LongStream.of(values).boxed().toList();
    }
}
