package io.github.broadloom.nearest;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.stream.Stream;

/**
 * The scores of all pairs of a block of rows and a block of columns, by an expression that was planned once. Cells are written where {@link #rows} and {@link #columns} say; then {@link #run}
 * fills the scores. It serves one thread.
 */
public final class PairScores implements AutoCloseable {
    private final List<Tensor> rows;
    private final List<Tensor> columns;
    private final Tensor matrix;
    private final PreparedEvaluation evaluation;
    private final Hold hold;
    private final Object scores;

    /** What is computed, for any numbers of rows and columns. */
    public interface Form {
        /** The cells of a row: one tensor for each place. */
        List<Cell> row();

        /** The cells of a column. */
        List<Cell> column();

        /**
         * The scores, the least of which are the nearest.
         *
         * @param rows the cells of all rows, each of shape {@code [rows, …cell]}
         * @param columns the cells of all columns, each of shape {@code [columns, …cell]}
         * @return of shape {@code [rows, columns]}, float32 or float64
         */
        Expr scores(List<Expr> rows, List<Expr> columns);
    }

    public record Cell(DType dtype, Shape shape) {
        /** The bytes of one. */
        public long bytes() {
            return dtype.sizeBytes(shape.numel());
        }
    }

    public PairScores(Form form, int rows, int columns, Backend backend) {
        this.rows = stacked(form.row(), rows);
        this.columns = stacked(form.column(), columns);
        Expr scored = form.scores(inputs(this.rows), inputs(this.columns));
        this.matrix = Tensors.empty(scored.dtype(), scored.shape());
        this.hold = Hold.of(Stream.of(this.rows, this.columns, List.of(matrix))
                .flatMap(List::stream)
                .toList());
        this.evaluation = backend.prepared(scored, matrix);
        this.scores = scored.dtype().primitive().newArray(rows * columns);
    }

    private static List<Tensor> stacked(List<Cell> cells, int count) {
        return cells.stream()
                .map(cell -> Tensors.zeros(cell.shape().withLeading(count), cell.dtype()))
                .toList();
    }

    private static List<Expr> inputs(List<Tensor> tensors) {
        return tensors.stream().map(tensor -> (Expr) Input.of(tensor)).toList();
    }

    public int rowCount() {
        return (int) matrix.shape().size(0);
    }

    public int columnCount() {
        return (int) matrix.shape().size(1);
    }

    /** The address of a cell of the first row, behind which those of the others lie. */
    public long rows(int place) {
        return rows.get(place).address();
    }

    /** The address of a cell of the first column, behind which those of the others lie. */
    public long columns(int place) {
        return columns.get(place).address();
    }

    /** Computes the scores. */
    public void run() {
        evaluation.run();
        RawMemory.copy(matrix.address(), scores, 0, (int) matrix.numel());
    }

    /** The scores, row by row: a {@code float[]} or a {@code double[]}. */
    public Object scores() {
        return scores;
    }

    @Override
    public void close() {
        hold.close();
        evaluation.close();
        rows.forEach(Tensor::release);
        columns.forEach(Tensor::release);
        matrix.release();
    }
}
