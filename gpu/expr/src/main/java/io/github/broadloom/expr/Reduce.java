package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reduction over some or all dimensions; those of size one stay where {@link #keepDim()} says so. */
public final class Reduce extends Computed {
    private static final long serialVersionUID = 1;

    private final Reduction reduction;
    private final int[] dims;
    private final KeepDim keepDim;
    private final double correction;

    private Reduce(Reduction reduction, Expr operand, double correction, KeepDim keepDim, int[] dims) {
        super(
                reduction.resultType(operand.dtype()),
                Dims.reduced(operand.shape(), keepDim, dims),
                operand.device(),
                List.of(operand));
        this.reduction = reduction;
        this.dims = dims;
        this.keepDim = keepDim;
        this.correction = correction;
    }

    static Expr of(Reduction reduction, Expr operand, double correction, KeepDim keepDim, int... dims) {
        if (reduction.ofLifted() != reduction) {
            return of(reduction.ofLifted(), reduction.lift(operand), correction, keepDim, dims);
        }
        if (reduction.isLogical() && operand.dtype() != DType.BOOL) {
            Expr truth = of(reduction, Expr.cast(operand, DType.BOOL), correction, keepDim, dims);
            return operand.dtype() == DType.UINT8 ? Expr.cast(truth, DType.UINT8) : truth; // as PyTorch keeps it
        }
        Shape shape = operand.shape();
        reduction.resultType(operand.dtype());
        if (!reduction.acceptsEmpty()) {
            Dims.checkNotEmpty(reduction, shape, dims);
        }
        if (reduction.isDeviation()) {
            Dims.checkDistinct(shape, dims);
        }
        int[] normalized = Dims.normalize(shape, dims);
        if (reduction.isPosition() && dims.length > 1 && dims.length < shape.rank()) {
            throw new IllegalArgumentException(
                    reduction.torchName() + "(): argument 'dim' (position 2) must be int, not tuple");
        }
        return new Reduce(reduction, operand, reduction.isDeviation() ? correction : 0, keepDim, normalized);
    }

    /** The reductions of each operand, each once, in their order: those that a device computes in one pass over it. */
    public static Map<Expr, List<Reduce>> byOperand(List<Reduce> reductions) {
        Map<Expr, List<Reduce>> byOperand = new LinkedHashMap<>();
        for (Reduce reduce : reductions) {
            List<Reduce> sharing = byOperand.computeIfAbsent(reduce.operand(), key -> new ArrayList<>());
            if (!sharing.contains(reduce)) {
                sharing.add(reduce);
            }
        }
        return byOperand;
    }

    public Reduction reduction() {
        return reduction;
    }

    public Expr operand() {
        return children().get(0);
    }

    /** The reduced dimensions of the operand, ascending, none negative; empty for an operand of rank 0 alone. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether a reduced dimension stays with size one. */
    public KeepDim keepDim() {
        return keepDim;
    }

    /** What the number of values is lessened by where squared deviations are divided; 0 for any other reduction. */
    public double correction() {
        return correction;
    }

    /** Whether it goes through the rows, so that it needs all of them. */
    public boolean crossesRows() {
        return dims.length > 0 && dims[0] == 0;
    }

    /** Whether rows of different chunks meet in it: it takes dimension 0, or a scalar. */
    public boolean foldsRows() {
        return operand().shape().rank() == 0 || crossesRows();
    }

    @Override
    public boolean hasIndependentRows() {
        return !foldsRows();
    }

    public long reducedCount() {
        return Dims.count(operand().shape(), dims);
    }

    private record Recipe(Reduction reduction, double correction, KeepDim keepDim, List<Integer> dims)
            implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(reduction, children.get(0), correction, keepDim, Dims.array(dims));
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(reduction, correction, keepDim, Dims.listed(dims));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.reduce(this);
    }

    @Override
    public String toString() {
        return reduction + "(…, dim=" + Arrays.toString(dims)
                + (correction != 0 && correction != 1 ? ", correction=" + correction : "")
                + (keepDim.keeps() ? ", keepdim=True)" : ")");
    }
}
