package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.dtype.IntInfo;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.TensorPrinter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every kind of vector that the project can run, by name. */
final class Kinds {
    private static final Map<String, Kind> BY_NAME = Map.ofEntries(
            Map.entry("binary", PointwiseKind.ofField("a", "b")),
            Map.entry("unary", PointwiseKind.ofField("a")),
            Map.entry("where", PointwiseKind.ofOp("where", "mask", "a", "b")),
            Map.entry("clamp", Kinds::clamp),
            Map.entry("lerp", PointwiseKind.ofOp("lerp", "a", "b", "weight")),
            Map.entry("addcmul", PointwiseKind.ofOp("addcmul", "a", "b", "c", "value")),
            Map.entry("addcdiv", PointwiseKind.ofOp("addcdiv", "a", "b", "c", "value")),
            Map.entry("reduce", new ReduceKind()),
            Map.entry("product", new Product()),
            Map.entry("call", new CallKind()),
            Map.entry("unique", new UniqueKind()),
            Map.entry("einsum", Kinds::einsum),
            Map.entry("inplace", new InPlaceKind()),
            Map.entry("overlap", new InPlaceKind.Overlap()),
            Map.entry("sparse", new SparseKind()),
            Map.entry("view", new ViewKind()),
            Map.entry("cat", join(Expr::concat)),
            Map.entry("stack", join(ViewOps::stack)),
            Map.entry("broadcast_shapes", exact(Kinds::commonShape, vector -> Vector.shape(vector.field("expect")))),
            Map.entry("broadcast_warning", exact(Kinds::warning, vector -> vector.flag("expect"))),
            Map.entry("result_type", exact(Kinds::resultType, vector -> vector.dtype("expect"))),
            Map.entry("can_cast", exact(Kinds::canCast, vector -> vector.flag("expect"))),
            Map.entry("promote_types", exact(Kinds::promoteTypes, vector -> vector.dtype("expect"))),
            Map.entry("finfo", exact(vector -> FloatInfo.of(vector.dtype("dtype")), Kinds::floatInfo)),
            Map.entry("iinfo", exact(vector -> IntInfo.of(vector.dtype("dtype")), Kinds::intInfo)),
            Map.entry(
                    "print",
                    exact(vector -> TensorPrinter.print(vector.tensor("a")), vector -> vector.text("expect"))));

    private Kinds() {}

    static Optional<Kind> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** {@code clamp} between {@code min} and {@code max}, numbers or tensors of which one may be null: then it does not bound. */
    private static VectorAnswer clamp(Vector vector, Engine engine) {
        boolean noMin = vector.field("min").isNull();
        boolean noMax = vector.field("max").isNull();
        if (noMin && noMax) {
            throw new IllegalArgumentException("torch.clamp: At least one of 'min' or 'max' must not be None");
        }
        Kind kind = noMax
                ? PointwiseKind.ofOp("clamp_min", "a", "min")
                : noMin ? PointwiseKind.ofOp("clamp_max", "a", "max") : PointwiseKind.ofOp("clamp", "a", "min", "max");
        return kind.answer(vector, engine);
    }

    private static Kind join(BiFunction<List<Expr>, Integer, Expr> join) {
        return (vector, engine) -> {
            List<Expr> tensors =
                    vector.tensors("tensors").stream().map(engine::place).toList();
            Expr joined = join.apply(tensors, Vector.small(Vector.integer(vector.field("dim"))));
            return VectorAnswer.of(vector, engine.evaluate(joined));
        };
    }

    /** Einstein's sum that {@code equation} says, of {@code a}, {@code b} and {@code c}, as many as there are. */
    private static VectorAnswer einsum(Vector vector, Engine engine) {
        List<Expr> operands = Stream.of("a", "b", "c")
                .filter(vector::has)
                .map(name -> engine.place(vector.tensor(name)))
                .toList();
        return VectorAnswer.of(vector, engine.evaluate(Einsum.of(vector.text("equation"), operands)));
    }

    /** A product of {@code a} and {@code b}, named by {@code op}. */
    private static final class Product implements Kind {
        private static final Map<String, BinaryOperator<Expr>> PRODUCTS = Map.of(
                "matmul", Products::matmul,
                "mm", Products::mm,
                "bmm", Products::bmm,
                "mv", Products::mv,
                "dot", Products::dot);

        @Override
        public Optional<String> unknownOp(Vector vector) {
            String op = vector.text("op");
            return PRODUCTS.containsKey(op) ? Optional.empty() : Optional.of(op);
        }

        @Override
        public VectorAnswer answer(Vector vector, Engine engine) {
            BinaryOperator<Expr> product = PRODUCTS.getOrDefault(vector.text("op"), Products::matmul);
            Expr a = engine.place(vector.tensor("a"));
            return VectorAnswer.of(vector, engine.evaluate(product.apply(a, engine.place(vector.tensor("b")))));
        }
    }

    /** A plain value that must equal the expected one: a dtype, a list of sizes, a text. */
    private static Kind exact(Function<Vector, Object> actual, Function<Vector, Object> expected) {
        return (vector, engine) -> VectorAnswer.exact(actual.apply(vector), () -> expected.apply(vector));
    }

    private static Object commonShape(Vector vector) {
        return Broadcasting.broadcastShapes(
                Vector.stream(vector.field("shapes")).map(Vector::shape).toArray(Shape[]::new));
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
