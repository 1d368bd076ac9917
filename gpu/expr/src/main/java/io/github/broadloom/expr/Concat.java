package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Optional;

/** Expressions of one dtype one behind the other along a dimension; in the others they are of one size. */
public final class Concat extends Computed {
    private static final long serialVersionUID = 1;

    private final int dim;

    /** @param parts at least one, of the dtype of the result */
    private Concat(List<Expr> parts, int dim, Shape shape) {
        super(parts.get(0).dtype(), shape, Placement.ofAll(parts), parts);
        this.dim = dim;
    }

    static Expr of(List<Expr> operands, int dim) {
        if (operands.isEmpty()) {
            throw new IllegalArgumentException("torch.cat(): expected a non-empty list of Tensors");
        }
        for (int i = 0; i < operands.size(); i++) {
            if (operands.get(i).shape().rank() == 0) {
                throw new IllegalArgumentException(
                        "zero-dimensional tensor (at position " + i + ") cannot be concatenated");
            }
        }
        DType dtype = Promotion.resultType(operands.stream().map(Expr::term).toList());
        Optional<Expr> found =
                operands.stream().filter(operand -> !isSkipped(operand)).findFirst();
        Expr model = found.orElse(operands.get(0));
        int at = found.isPresent() ? model.shape().normalizeDim(dim) : 0; // of empty vectors PyTorch takes any
        long size = 0;
        for (int i = 0; i < operands.size(); i++) {
            if (!isSkipped(operands.get(i))) {
                checkFits(operands.get(i).shape(), model.shape(), at, i);
                size = Math.addExact(size, operands.get(i).shape().size(at));
            }
        }
        List<Expr> parts = operands.stream()
                .filter(operand -> !isSkipped(operand))
                .map(operand -> Expr.cast(operand, dtype))
                .toList();
        return parts.isEmpty()
                ? new Concat(List.of(Expr.cast(model, dtype)), at, model.shape())
                : new Concat(parts, at, model.shape().with(at, size));
    }

    /** PyTorch's rule from older times: an empty vector goes with every shape. */
    private static boolean isSkipped(Expr operand) {
        return operand.shape().rank() == 1 && operand.shape().numel() == 0;
    }

    private static void checkFits(Shape shape, Shape model, int dim, int position) {
        if (shape.rank() != model.rank()) {
            throw new IllegalArgumentException(
                    "Tensors must have same number of dimensions: got " + model.rank() + " and " + shape.rank());
        }
        for (int d = 0; d < model.rank(); d++) {
            if (d != dim && shape.size(d) != model.size(d)) {
                throw new IllegalArgumentException("Sizes of tensors must match except in dimension " + dim
                        + ". Expected size " + model.size(d) + " but got size " + shape.size(d) + " for tensor number "
                        + position + " in the list.");
            }
        }
    }

    /** The dimension along which the parts follow each other, not negative. */
    public int dim() {
        return dim;
    }

    private record Recipe(int dim) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(children, dim);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(dim);
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.concat(this);
    }

    @Override
    public String toString() {
        return "cat(…, dim=" + dim + ")";
    }
}
