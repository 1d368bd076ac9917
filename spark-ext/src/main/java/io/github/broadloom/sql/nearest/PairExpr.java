package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.sql.nearest.NearestSpec.Order;
import io.github.broadloom.sql.nearest.RankingForm.SideCell;
import io.github.broadloom.sql.nearest.TensorRanking.RowValue;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Pow;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import scala.jdk.javaapi.CollectionConverters;

/** A ranking of one pair as an expression of the cells of both rows, of operations that give the bits of Spark's. */
sealed interface PairExpr extends Serializable {
    Expr over(List<? extends Expr> left, List<? extends Expr> right);

    record LeftCell(int place) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return left.get(place);
        }
    }

    record RightCell(int place) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return right.get(place);
        }
    }

    record Constant(double value) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return Expr.literal(value);
        }
    }

    record Applied(Op op, List<PairExpr> arguments) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return Expr.apply(
                    op, arguments.stream().map(one -> one.over(left, right)).toArray(Expr[]::new));
        }
    }

    record Widened(PairExpr value) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return Expr.cast(value.over(left, right), DType.FLOAT64);
        }
    }

    record Tensors(TensorRanking.Value value, List<PairExpr> cells) implements PairExpr {
        @Override
        public Expr over(List<? extends Expr> left, List<? extends Expr> right) {
            return value.over(cells.stream().map(one -> one.over(left, right)).toList());
        }
    }

    /** The ranking as a kernel computes it; empty where a part that both sides decide has no such operation. */
    static Optional<RankingForm> of(Expression ranking, AttributeSet left, AttributeSet right, Order order) {
        Translation translation = new Translation(left, right);
        return translation
                .of(ranking)
                .filter(any -> isFloating(ranking.dataType())
                        && !translation.leftCells.isEmpty()
                        && !translation.rightCells.isEmpty())
                .map(scores -> new RankingForm.OfKernel(
                        scores, order == Order.SIMILARITY, translation.leftCells, translation.rightCells));
    }

    private static boolean isFloating(DataType type) {
        return type instanceof FloatType || type instanceof DoubleType;
    }

    /** Takes a ranking apart into what each side decides and what both do. */
    final class Translation {
        private final AttributeSet left;
        private final AttributeSet right;
        private final List<SideCell> leftCells = new ArrayList<>();
        private final List<SideCell> rightCells = new ArrayList<>();
        private final Map<List<Object>, PairExpr> known = new HashMap<>();

        Translation(AttributeSet left, AttributeSet right) {
            this.left = left;
            this.right = right;
        }

        Optional<PairExpr> of(Expression expression) {
            Optional<Double> number = Numbers.finite(expression);
            return number.isPresent()
                    ? Optional.of(new Constant(number.get()))
                    : of(expression, CellType.of(expression.dataType()));
        }

        /** @param type of a cell that it is, if one side decides it */
        private Optional<PairExpr> of(Expression expression, Optional<CellType> type) {
            if (expression.references().subsetOf(left)) {
                return type.map(known -> cell(expression, known, leftCells, LeftCell::new));
            }
            if (expression.references().subsetOf(right)) {
                return type.map(known -> cell(expression, known, rightCells, RightCell::new));
            }
            if (expression instanceof TensorRanking function) {
                return tensors(function.rowValue());
            }
            return isFloating(expression.dataType()) ? arithmetic(expression) : Optional.empty();
        }

        private Optional<PairExpr> tensors(RowValue value) {
            List<PairExpr> cells = new ArrayList<>();
            for (int i = 0; i < value.cells().size(); i++) {
                of(value.cells().get(i), Optional.of(value.types().get(i))).ifPresent(cells::add);
            }
            return cells.size() == value.cells().size()
                    ? Optional.of(new Tensors(value.value(), cells))
                    : Optional.empty();
        }

        private Optional<PairExpr> arithmetic(Expression expression) {
            List<Expression> parts = CollectionConverters.asJava(expression.children());
            if (expression instanceof Add) {
                return applied(Ops.ADD, parts);
            }
            if (expression instanceof Subtract) {
                return applied(Ops.SUB, parts);
            }
            if (expression instanceof Multiply) {
                return applied(Ops.MUL, parts);
            }
            if (expression instanceof Abs) {
                return applied(Ops.ABS, parts);
            }
            if (expression instanceof UnaryMinus) {
                return applied(Ops.NEG, parts);
            }
            if (expression instanceof Sqrt) {
                return applied(Ops.SQRT, parts);
            }
            if (expression instanceof Divide
                    && Numbers.finite(parts.get(1)).filter(n -> n != 0).isPresent()) {
                return applied(Ops.DIV, parts);
            }
            if (expression instanceof Pow && Numbers.finite(parts.get(1)).equals(Optional.of(2.0))) {
                return applied(Ops.SQUARE, parts.subList(0, 1)); // fdlibm's pow, which Spark calls, is the product
            }
            if (expression instanceof Cast && isFloating(parts.get(0).dataType())) {
                boolean widens = expression.dataType() instanceof DoubleType;
                return widens ? of(parts.get(0)).map(Widened::new) : Optional.empty();
            }
            return Optional.empty();
        }

        private Optional<PairExpr> applied(Op op, List<Expression> parts) {
            return all(parts).map(arguments -> new Applied(op, arguments));
        }

        private Optional<List<PairExpr>> all(List<Expression> expressions) {
            List<PairExpr> all = new ArrayList<>();
            for (Expression expression : expressions) {
                of(expression).ifPresent(all::add);
            }
            return all.size() == expressions.size() ? Optional.of(List.copyOf(all)) : Optional.empty();
        }

        private PairExpr cell(
                Expression expression, CellType type, List<SideCell> cells, IntFunction<PairExpr> atPlace) {
            return known.computeIfAbsent(List.of(expression.canonicalized(), type), key -> {
                cells.add(new SideCell(expression, type));
                return atPlace.apply(cells.size() - 1);
            });
        }
    }
}
