package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.dtype.IntInfo;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.TensorPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every kind of vector that the project can run, by name. */
final class Kinds {
    private static final Map<String, Kind> BY_NAME = Map.ofEntries(
            Map.entry("binary", PointwiseKind.ofField("a", "b")),
            Map.entry("unary", PointwiseKind.ofField("a")),
            Map.entry("where", PointwiseKind.ofOp("where", "mask", "a", "b")),
            Map.entry("clamp", new ClampKind()),
            Map.entry("lerp", PointwiseKind.ofOp("lerp", "a", "b", "weight")),
            Map.entry("addcmul", PointwiseKind.ofOp("addcmul", "a", "b", "c", "value")),
            Map.entry("addcdiv", PointwiseKind.ofOp("addcdiv", "a", "b", "c", "value")),
            Map.entry("reduce", new ReduceKind()),
            Map.entry("product", new ProductKind()),
            Map.entry("call", new CallKind()),
            Map.entry("einsum", new ProductKind()),
            Map.entry("inplace", new InPlaceKind()),
            Map.entry("overlap", new OverlapKind()),
            Map.entry("sparse", new SparseKind()),
            Map.entry("view", new ViewKind()),
            Map.entry("cat", new JoinKind(Expr::concat)),
            Map.entry("stack", new JoinKind(ViewOps::stack)),
            Map.entry(
                    "broadcast_shapes",
                    new ExactKind(Kinds::commonShape, vector -> Vector.shape(vector.field("expect")))),
            Map.entry("broadcast_warning", new ExactKind(Kinds::warning, vector -> vector.flag("expect"))),
            Map.entry("result_type", new ExactKind(Kinds::resultType, vector -> vector.dtype("expect"))),
            Map.entry("can_cast", new ExactKind(Kinds::canCast, vector -> vector.flag("expect"))),
            Map.entry("promote_types", new ExactKind(Kinds::promoteTypes, vector -> vector.dtype("expect"))),
            Map.entry("finfo", new ExactKind(vector -> FloatInfo.of(vector.dtype("dtype")), Kinds::floatInfo)),
            Map.entry("iinfo", new ExactKind(vector -> IntInfo.of(vector.dtype("dtype")), Kinds::intInfo)),
            Map.entry(
                    "print",
                    new ExactKind(vector -> TensorPrinter.print(vector.tensor("a")), vector -> vector.text("expect"))));

    private Kinds() {}

    static Optional<Kind> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private static Object commonShape(Vector vector) {
        List<Shape> shapes = new ArrayList<>();
        for (JsonNode shape : vector.field("shapes")) {
            shapes.add(Vector.shape(shape));
        }
        return Broadcasting.broadcastShapes(shapes.toArray(new Shape[0]));
    }

    private static Object warning(Vector vector) {
        return Broadcasting.warnsOfLegacyBroadcast(Vector.shape(vector.field("a")), Vector.shape(vector.field("b")));
    }

    private static Object resultType(Vector vector) {
        Promotion.Term first = term(vector.field("a"));
        Promotion.Term second = vector.has("scalar")
                ? Promotion.Term.number(Vector.number(vector.field("scalar")))
                : term(vector.field("b"));
        return Promotion.resultType(List.of(first, second));
    }

    private static Promotion.Term term(JsonNode operand) {
        int dims = Vector.small(Vector.integer(Vector.member(operand, "dims")));
        return Promotion.Term.tensor(Vector.dtypeOf(operand), dims);
    }

    private static Object canCast(Vector vector) {
        return Promotion.canCast(vector.dtype("from"), vector.dtype("to"));
    }

    private static Object promoteTypes(Vector vector) {
        return Promotion.promoteTypes(vector.dtype("a"), vector.dtype("b"));
    }

    private static Object floatInfo(Vector vector) {
        return new FloatInfo(
                vector.dtype("dtype"),
                Vector.small(Vector.integer(vector.field("bits"))),
                Vector.real(vector.field("eps")),
                Vector.real(vector.field("max")),
                Vector.real(vector.field("min")),
                Vector.real(vector.field("tiny")),
                Vector.real(vector.field("resolution")));
    }

    private static Object intInfo(Vector vector) {
        return new IntInfo(
                vector.dtype("dtype"),
                Vector.small(Vector.integer(vector.field("bits"))),
                Vector.integer(vector.field("max")),
                Vector.integer(vector.field("min")));
    }
}
