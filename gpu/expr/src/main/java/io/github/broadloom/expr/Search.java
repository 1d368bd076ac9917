package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * What binary search tells of values in sorted lines. The lines lie along the last dimension of one tensor, whose other dimensions are the first ones of the values, or of size one there:
 * <pre>result[l…, v…] = places of value[l…, v…] in line[l…]</pre>
 *
 * <p>So a part of the result along any dimension is that of the same part of the values, with the lines that go with it. In a line NaN comes before everything, and any value that is NaN
 * after everything, as in PyTorch's {@code searchsorted}; in a line that is not in order the answer is some place, the same as PyTorch's.
 */
public final class Search extends Computed {
    private static final long serialVersionUID = 1;

    private final Question question;

    /** What is asked of a value and a line. */
    public enum Question {
        /** How many of the line are less. */
        LESS(DType.INT64),
        /** How many of the line are less, or equal. */
        UP_TO(DType.INT64),
        /** Whether any of the line is equal. */
        AMONG(DType.BOOL);

        private final DType answer;

        Question(DType answer) {
            this.answer = answer;
        }
    }

    private Search(Question question, Expr lines, Expr values) {
        super(question.answer, values.shape(), Placement.ofAll(List.of(lines, values)), List.of(lines, values));
        this.question = question;
    }

    /**
     * The node.
     *
     * @param lines of the dtype of the values, in ascending order, of rank 1 or more
     */
    static Search of(Question question, Expr lines, Expr values) {
        int before = lines.shape().rank() - 1;
        boolean fits = before >= 0 && before <= values.shape().rank() && lines.dtype() == values.dtype();
        for (int d = 0; fits && d < before; d++) {
            long size = lines.shape().size(d);
            fits = size == 1 || size == values.shape().size(d);
        }
        ProductErrors.require(
                fits,
                "Cannot search lines of " + lines.dtype() + " " + lines.shape() + " for values of " + values.dtype()
                        + " " + values.shape());
        return new Search(question, lines, values);
    }

    public Question question() {
        return question;
    }

    /** The last dimension is that of the lines, any other one that of the values with that number. */
    public Expr lines() {
        return children().get(0);
    }

    public Expr values() {
        return children().get(1);
    }

    public long lineLength() {
        Shape shape = lines().shape();
        return shape.size(shape.rank() - 1);
    }

    private record Recipe(Question question) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(question, children.get(0), children.get(1));
        }
    }

    @Override
    public Computed.Recipe recipe() {
        return new Recipe(question);
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.search(this);
    }

    @Override
    public String toString() {
        return question == Question.AMONG ? "isin" : "searchsorted";
    }
}
