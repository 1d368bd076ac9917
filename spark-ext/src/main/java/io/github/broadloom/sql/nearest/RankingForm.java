package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Bound;
import io.github.broadloom.expr.Input;
import io.github.broadloom.nearest.PairBlocks;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.sql.nearest.NearestSpec.Order;
import io.github.broadloom.table.CellType;
import io.github.broadloom.tensor.Device;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** How the pairs that can be among the nearest are found; their ranks are always those of Spark's own evaluation. */
sealed interface RankingForm extends Serializable {
    /** The dtypes of vectors whose products are scores. */
    Set<DType> FLOATS = Set.of(DType.FLOAT32, DType.FLOAT64);

    /** Sizes that are seldom written into a ranking. */
    Shape SOME = Shape.of(11);

    /**
     * A part of the ranking that one side alone decides: evaluated once for each of its rows.
     *
     * @param expression over the columns of the side
     */
    record SideCell(Expression expression, CellType type) implements Serializable {
        private SideCell bound(Seq<Attribute> columns) {
            return new SideCell(Bound.to(columns, expression), type);
        }

        private static List<SideCell> bound(List<SideCell> cells, Seq<Attribute> columns) {
            return cells.stream().map(cell -> cell.bound(columns)).toList();
        }
    }

    /** Where scores are computed, and the least of them found, on a device that is not the CPU: behind how, in a plan. */
    default String on(Device device, int k) {
        return " on " + device + ", the least of them found on the CPU, as they are no products";
    }

    /** The same over rows of these columns, which are found by place. */
    RankingForm bound(Seq<Attribute> left, Seq<Attribute> right);

    /**
     * Scores by a metric of vectors: matrix products, or its formula in one kernel.
     *
     * @param isNegated whether the least scores of the metric are the farthest
     * @param ranks the ranking over a row of both vectors; null where it reads more than these
     */
    record OfVectors(
            VectorMetric metric,
            boolean isNegated,
            SideCell vector,
            SideCell other,
            @Nullable Expression ranks) implements RankingForm {
        @Override
        public RankingForm bound(Seq<Attribute> left, Seq<Attribute> right) {
            return new OfVectors(metric, isNegated, vector.bound(left), other.bound(right), ranks);
        }

        private RankingForm of(Expression ranking) {
            Expression known = PairRanks.OfVectors.over(ranking, this).orElse(null);
            return new OfVectors(metric, isNegated, vector, other, known);
        }

        @Override
        public String on(Device device, int k) {
            if (!metric.isProduct()) {
                return RankingForm.super.on(device, k);
            }
            return " on " + device
                    + (PairBlocks.canFindLeast(k)
                            ? ", and the least of them"
                            : ", the least of them found on the CPU, as a GPU has shared memory for k up to "
                                    + PairBlocks.MOST_ON_GPU);
        }

        @Override
        public String toString() {
            String how = metric.isProduct() ? "matrix products" : "one kernel";
            return how + " (" + metric.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")";
        }
    }

    /** Scores that one kernel computes with the operations of the ranking, to the same bits. */
    record OfKernel(PairExpr scores, boolean isNegated, List<SideCell> left, List<SideCell> right)
            implements RankingForm {
        @Override
        public RankingForm bound(Seq<Attribute> leftColumns, Seq<Attribute> rightColumns) {
            return new OfKernel(
                    scores, isNegated, SideCell.bound(left, leftColumns), SideCell.bound(right, rightColumns));
        }

        @Override
        public String toString() {
            return "one kernel";
        }
    }

    /** No scores: all pairs are ranked one by one. */
    record OfPairs() implements RankingForm {
        @Override
        public RankingForm bound(Seq<Attribute> left, Seq<Attribute> right) {
            return this;
        }

        @Override
        public String on(Device device, int k) {
            return "";
        }

        @Override
        public String toString() {
            return "pair by pair, as only Spark evaluates this ranking";
        }
    }

    /** The fastest one for a ranking. */
    static RankingForm of(Expression ranking, AttributeSet left, AttributeSet right, Order order) {
        return products(ranking, left, right, order == Order.SIMILARITY)
                .map(vectors -> vectors.of(ranking))
                .or(() -> PairExpr.of(ranking, left, right, order))
                .orElseGet(OfPairs::new);
    }

    /** A ranking that rises or falls with a product of vectors, one of each side. */
    private static Optional<OfVectors> products(
            Expression ranking, AttributeSet left, AttributeSet right, boolean isNegated) {
        if (ranking instanceof StaticInvoke call) {
            return VectorRanks.metric(call)
                    .map(metric -> new ProductPattern(metric, false))
                    .or(() -> pattern(call))
                    .flatMap(pattern -> products(pattern, call, left, right, isNegated));
        }
        if (ranking instanceof TensorRanking function) {
            return products(function.rowValue(), left, right, isNegated);
        }
        if (ranking instanceof UnaryMinus minus) {
            return products(minus.child(), left, right, !isNegated);
        }
        if (ranking instanceof Cast cast && widens(cast)) {
            return products(cast.child(), left, right, isNegated);
        }
        List<Expression> parts = CollectionConverters.asJava(ranking.children());
        if (ranking instanceof Add || ranking instanceof Subtract || ranking instanceof Multiply) {
            for (int i = 0; i < 2; i++) {
                Optional<Double> number = Numbers.finite(parts.get(1 - i));
                if (number.isPresent() && (number.get() != 0 || !(ranking instanceof Multiply))) {
                    boolean falls =
                            ranking instanceof Subtract ? i == 1 : ranking instanceof Multiply && number.get() < 0;
                    return products(parts.get(i), left, right, isNegated ^ falls);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean widens(Cast cast) {
        boolean isFloat =
                cast.child().dataType() instanceof FloatType || cast.child().dataType() instanceof DoubleType;
        return isFloat && cast.dataType() instanceof DoubleType;
    }

    /** Of Spark's own functions, of which products and similarities rise where the ranks of their metrics fall. */
    private static Optional<ProductPattern> pattern(StaticInvoke call) {
        if (!call.staticObject().getSimpleName().equals("VectorFunctionImplUtils")) {
            return Optional.empty();
        }
        return switch (call.functionName()) {
            case "vectorL2Distance" -> Optional.of(new ProductPattern(VectorMetric.EUCLIDEAN, false));
            case "vectorCosineSimilarity" -> Optional.of(new ProductPattern(VectorMetric.COSINE, true));
            case "vectorInnerProduct" -> Optional.of(new ProductPattern(VectorMetric.INNER_PRODUCT, true));
            default -> Optional.empty();
        };
    }

    private static Optional<OfVectors> products(
            ProductPattern pattern, StaticInvoke call, AttributeSet left, AttributeSet right, boolean isNegated) {
        Optional<CellType> type = CellType.of(call.arguments().apply(0).dataType());
        return type.flatMap(known -> products(
                pattern,
                new SideCell(call.arguments().apply(0), known),
                new SideCell(call.arguments().apply(1), known),
                new Sides(left, right),
                isNegated));
    }

    /** Of a function of tensors over two vectors of floats. */
    private static Optional<OfVectors> products(
            TensorRanking.RowValue value, AttributeSet left, AttributeSet right, boolean isNegated) {
        boolean areVectors = value.types().stream().allMatch(type -> type.rank() == 1 && FLOATS.contains(type.dtype()));
        if (value.cells().size() != 2 || !areVectors) {
            return Optional.empty();
        }
        List<SideCell> cells = List.of(
                new SideCell(value.cells().get(0), value.types().get(0)),
                new SideCell(value.cells().get(1), value.types().get(1)));
        return pattern(value)
                .flatMap(pattern -> products(pattern, cells.get(0), cells.get(1), new Sides(left, right), isNegated));
    }

    private static Optional<ProductPattern> pattern(TensorRanking.RowValue value) {
        List<Input> vectors = new ArrayList<>();
        for (CellType type : value.types()) {
            vectors.add(Input.of(vectors.size(), type.dtype(), type.declared() == null ? SOME : type.declared()));
        }
        try {
            return ProductPattern.of(value.value().over(vectors), vectors);
        } catch (IllegalArgumentException e) { // of texts that want other sizes
            return Optional.empty();
        }
    }

    /** The columns of both sides. */
    record Sides(AttributeSet left, AttributeSet right) {
        boolean areOf(SideCell one, SideCell other) {
            return one.expression().references().subsetOf(left)
                    && other.expression().references().subsetOf(right);
        }
    }

    private static Optional<OfVectors> products(
            ProductPattern pattern, SideCell first, SideCell second, Sides sides, boolean isNegated) {
        boolean isOrdered = sides.areOf(first, second);
        if (!isOrdered && !sides.areOf(second, first)) {
            return Optional.empty();
        }
        return Optional.of(new OfVectors(
                pattern.metric(),
                isNegated ^ pattern.isFalling(),
                isOrdered ? first : second,
                isOrdered ? second : first,
                null));
    }
}
