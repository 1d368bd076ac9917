package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A function of whole lines of values along one dimension, or of all values as one line: running sums, medians, quantiles,
 * values in order. In contrast to a {@link Reduce} it is not put together from partial results of any parts of a line; but see {@link #joinsRows}.
 */
public final class Along extends Computed {
    private static final long serialVersionUID = 1;
    /** A matrix beside its decomposition: as a line, as rows, and twice both of its orthogonal factors. */
    private static final int DECOMPOSED = 6;
    /** Of the heap, for each value that is sorted: a key and a place, twice. */
    public static final int SORTED_BYTES = 2 * (Long.BYTES + Integer.BYTES);

    private final LineOp op;
    private final int[] dims;
    private final KeepDim keepDim;

    private Along(LineOp op, Expr operand, KeepDim keepDim, int[] dims) {
        super(
                op.resultType(operand.dtype()),
                shape(op, operand.shape(), keepDim, dims),
                operand.device(),
                List.of(operand));
        this.op = op;
        this.dims = dims;
        this.keepDim = keepDim;
    }

    private static Shape shape(LineOp op, Shape operand, KeepDim keepDim, int[] dims) {
        if (!op.leavesLine()) {
            return Dims.reduced(operand, keepDim, dims);
        }
        return dims.length == 0 ? operand : operand.with(dims[0], op.results(operand.size(dims[0])));
    }

    /**
     * A function of the lines of an operand whose dtype it takes.
     *
     * @param dims one dimension, or none for all
     */
    public static Along of(LineOp op, Expr operand, KeepDim keepDim, int... dims) {
        return new Along(op, operand, keepDim, Dims.normalize(operand.shape(), dims));
    }

    public LineOp op() {
        return op;
    }

    public Expr operand() {
        return children().get(0);
    }

    /** The line's dimension, not negative; all of them where all values are one line; none of an operand of rank 0. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether the dimension of a result that is one for each line stays with size one. */
    public KeepDim keepDim() {
        return keepDim;
    }

    public long lineLength() {
        return Dims.count(operand().shape(), dims);
    }

    /** The bytes of the heap that a whole line takes while it is computed: as it is stored, and as it is computed with. */
    public long lineBytes() {
        long length = lineLength();
        long stored = saturated(length, operand().dtype().bytes());
        if (!op.kind().isRanked()) {
            return saturated(length, operand().dtype().bytes() + copies() * Long.BYTES);
        }
        long sorted = saturated(op.sortedAtATime(length), SORTED_BYTES);
        long results = saturated(op.ranks(length), dtype().bytes());
        return stored + sorted + results;
    }

    private int copies() {
        return op.kind() == LineOp.Kind.NUCLEAR_NORM ? DECOMPOSED : 1;
    }

    private static long saturated(long count, long bytes) {
        return count > Long.MAX_VALUE / 4 / bytes ? Long.MAX_VALUE / 4 : count * bytes;
    }

    /** Whether the lines run through the rows, so that one needs all of them. */
    public boolean crossesRows() {
        return dims.length > 0 && dims[0] == 0;
    }

    @Override
    public boolean hasIndependentRows() {
        return !crossesRows();
    }

    /** Whether it is a scan whose lines run through the rows, so that each chunk goes on where the one before ends. */
    public boolean scansRows() {
        return op.kind().isScan() && crossesRows();
    }

    /**
     * The reduction of the same lines whose accumulators are those of this scan, so that parts of lines leave the same of both. None for an extreme, which
     * is kept beside the last of its places.
     */
    public Optional<Reduce> total() {
        LineOp.Kind kind = op.kind();
        if (kind != LineOp.Kind.CUMSUM && kind != LineOp.Kind.CUMPROD) {
            return Optional.empty();
        }
        Reduction reduction = kind == LineOp.Kind.CUMSUM ? Reduction.SUM : Reduction.PROD;
        return Optional.of((Reduce) Reduce.of(reduction, operand(), 0, KeepDim.DROP, dims));
    }

    /** Whether parts of the lines leave parts of the result that are joined to it: the k first values in order of rows that are cut. */
    public boolean joinsRows() {
        return op.kind().isRanked() && !op.kind().isSort() && crossesRows() && dims.length == 1;
    }

    private record Recipe(LineOp op, KeepDim keepDim, List<Integer> dims) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(op, children.get(0), keepDim, Dims.array(dims));
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(op, keepDim, Dims.listed(dims));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.along(this);
    }

    @Override
    public String toString() {
        return op + "(…, dim=" + Arrays.toString(dims) + (keepDim.keeps() ? ", keepdim=True)" : ")");
    }
}
