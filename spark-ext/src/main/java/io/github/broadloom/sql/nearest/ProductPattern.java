package io.github.broadloom.sql.nearest;

import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.nearest.VectorMetric;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which product of two vectors an expression rises or falls with: {@code norm(a - b)}, {@code sum((a - b) ** 2)}, {@code dot(a, b)}, {@code sum(a * b)}, {@code dot(a, b) / (norm(a) *
 * norm(b))}, and what is made of one by a square root and by numbers.
 *
 * @param isFalling whether the least values are those of the greatest ranks of the metric
 */
record ProductPattern(VectorMetric metric, boolean isFalling) {
    private static final Set<Reduction> SUMS = Set.of(Reduction.SUM, Reduction.MEAN);

    /** @param vectors the two inputs of the expression, of one dimension each */
    static Optional<ProductPattern> of(Expr value, List<? extends Expr> vectors) {
        return new Search(vectors.get(0), vectors.get(1)).of(value);
    }

    private Optional<ProductPattern> falling(boolean turns) {
        return Optional.of(turns ? new ProductPattern(metric, !isFalling) : this);
    }

    private record Search(Expr left, Expr right) {
        Optional<ProductPattern> of(Expr value) {
            if (value instanceof Cast cast && cast.dtype().isFloatingPoint()) {
                return of(cast.operand());
            }
            if (isProduct(value)) {
                return Optional.of(new ProductPattern(VectorMetric.INNER_PRODUCT, true));
            }
            if (isSumOfSquares(value, this::isDifference)) {
                return Optional.of(new ProductPattern(VectorMetric.EUCLIDEAN, false));
            }
            return value instanceof Apply apply ? of(apply) : Optional.empty();
        }

        private Optional<ProductPattern> of(Apply apply) {
            Op op = apply.op();
            List<Expr> args = apply.children();
            if (op == Ops.SQRT) { // of a sum of squares alone: where there is a root of every value
                return isSumOfSquares(args.get(0), this::isDifference) ? of(args.get(0)) : Optional.empty();
            }
            if (op == Ops.NEG) {
                return of(args.get(0)).flatMap(known -> known.falling(true));
            }
            if (op == Ops.DIV && isProduct(args.get(0)) && isProductOfNorms(args.get(1))) {
                return Optional.of(new ProductPattern(VectorMetric.COSINE, true));
            }
            if (op == Ops.ADD || op == Ops.SUB || op == Ops.MUL) {
                for (int i = 0; i < 2; i++) {
                    if (args.get(1 - i) instanceof Literal number && Double.isFinite(number.doubleValue())) {
                        double other = number.doubleValue();
                        boolean turns = op == Ops.SUB ? i == 1 : op == Ops.MUL && other < 0;
                        return op == Ops.MUL && other == 0
                                ? Optional.empty()
                                : of(args.get(i)).flatMap(known -> known.falling(turns));
                    }
                }
            }
            return Optional.empty();
        }

        /** The expression without conversions to wider floats and dimensions of size one. */
        private static Expr bare(Expr value) {
            if (value instanceof Cast cast && cast.operand().dtype().isFloatingPoint()) {
                return bare(cast.operand());
            }
            boolean isSame = value instanceof Rearrange view
                    && view.shape().numel() == view.operand().shape().numel();
            return isSame ? bare(((Rearrange) value).operand()) : value;
        }

        private boolean isVector(Expr value, Expr vector) {
            return bare(value) instanceof Input && bare(value) == vector;
        }

        private boolean isPair(Expr first, Expr second) {
            return isVector(first, left) && isVector(second, right) || isVector(first, right) && isVector(second, left);
        }

        private boolean isPair(Expr value, Op op) {
            return bare(value) instanceof Apply apply
                    && apply.op() == op
                    && isPair(apply.children().get(0), apply.children().get(1));
        }

        private boolean isDifference(Expr value) {
            return isPair(value, Ops.SUB);
        }

        private boolean isProduct(Expr value) {
            Expr known = bare(value);
            return known instanceof Contraction product && isPair(product.left(), product.right())
                    || known instanceof Reduce sum && SUMS.contains(sum.reduction()) && isPair(sum.operand(), Ops.MUL);
        }

        private interface Squared {
            boolean is(Expr value);
        }

        private static boolean isSumOfSquares(Expr value, Squared what) {
            return bare(value) instanceof Reduce sum
                    && SUMS.contains(sum.reduction())
                    && bare(sum.operand()) instanceof Apply square
                    && isSquare(square)
                    && what.is(square.children().get(0));
        }

        private static boolean isSquare(Apply apply) {
            return apply.op() == Ops.SQUARE
                    || apply.op() == Ops.POW
                            && apply.children().get(1) instanceof Literal power
                            && power.doubleValue() == 2;
        }

        private boolean isNorm(Expr value, Expr of) {
            return bare(value) instanceof Apply root
                    && root.op() == Ops.SQRT
                    && isSumOfSquares(root.children().get(0), vector -> isVector(vector, of));
        }

        private boolean isProductOfNorms(Expr value) {
            if (!(bare(value) instanceof Apply product && product.op() == Ops.MUL)) {
                return false;
            }
            Expr first = product.children().get(0);
            Expr second = product.children().get(1);
            return isNorm(first, left) && isNorm(second, right) || isNorm(first, right) && isNorm(second, left);
        }
    }
}
