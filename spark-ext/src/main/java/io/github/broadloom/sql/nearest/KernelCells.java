package io.github.broadloom.sql.nearest;

import io.github.broadloom.expr.Batch;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.SideRows;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;

/** The cells of a ranking that one kernel computes: as they are. Those whose shapes are not those of the first row, or that are no tensors, are irregular. */
final class KernelCells implements ScoreCells {
    private final RankingForm.OfKernel kernel;
    private final Reader left;
    private final Reader right;

    KernelCells(RankingForm.OfKernel kernel) {
        this.kernel = kernel;
        this.left = new Reader(kernel.left());
        this.right = new Reader(kernel.right());
    }

    @Override
    public SideRows right(InternalRow[] rows, int count) {
        return read(right, rows, 0, count);
    }

    @Override
    public SideRows left(InternalRow[] rows, int first, int count, SideRows others) {
        return read(left, rows, first, count);
    }

    private static SideRows read(Reader reader, InternalRow[] rows, int first, int count) {
        SideRows side = new SideRows(cells(reader, rows, first, count), count);
        for (int i = first; i < first + count; i++) {
            if (!reader.read(rows[i])) {
                continue;
            }
            if (write(reader, side)) {
                side.addRegular(i, 0);
            } else {
                side.addIrregular(i);
            }
        }
        return side;
    }

    /** As those of the first row that has all. */
    private static List<PairScores.Cell> cells(Reader reader, InternalRow[] rows, int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (reader.read(rows[i])) {
                try {
                    List<PairScores.Cell> cells = new ArrayList<>();
                    for (int place = 0; place < reader.count(); place++) {
                        Shape shape = reader.reader(place).shape(reader.cell(place));
                        cells.add(new PairScores.Cell(reader.reader(place).dtype(), shape));
                    }
                    return cells;
                } catch (IllegalArgumentException e) {
                    continue; // the evaluation of its pairs tells what is wrong with it
                }
            }
        }
        return List.of();
    }

    private static boolean write(Reader reader, SideRows side) {
        if (side.cells().size() != reader.count()) {
            return false;
        }
        try {
            for (int place = 0; place < reader.count(); place++) {
                Shape shape = side.cells().get(place).shape();
                if (!reader.reader(place).hasShape(reader.cell(place), shape)) {
                    return false;
                }
                reader.reader(place).read(reader.cell(place), shape, side.next(place));
            }
            return true;
        } catch (IllegalArgumentException e) { // as one of a NULL in an array
            return false;
        }
    }

    /** A cell of either side, as the source of the input that stands for it. */
    private record Place(boolean isLeft, int index) {}

    @Override
    public PairScores.Form form(SideRows leftRows, SideRows rightRows) {
        return new PairScores.Form() {
            @Override
            public List<PairScores.Cell> row() {
                return leftRows.cells();
            }

            @Override
            public List<PairScores.Cell> column() {
                return rightRows.cells();
            }

            @Override
            public Expr scores(List<Expr> rows, List<Expr> columns) {
                Expr pair = kernel.scores().over(inputs(true, row()), inputs(false, column()));
                Expr ofRow = Batch.of(pair, columns.get(0).shape().size(0), stacked(false, columns));
                Expr all = Batch.of(ofRow, rows.get(0).shape().size(0), stacked(true, rows));
                return kernel.isNegated() ? Expr.apply(Ops.NEG, all) : all;
            }
        };
    }

    private static List<Expr> inputs(boolean isLeft, List<PairScores.Cell> cells) {
        List<Expr> inputs = new ArrayList<>();
        for (PairScores.Cell cell : cells) {
            inputs.add(Input.of(new Place(isLeft, inputs.size()), cell.dtype(), cell.shape()));
        }
        return inputs;
    }

    private static Function<Input, Expr> stacked(boolean isLeft, List<Expr> stacks) {
        return input ->
                input.source() instanceof Place place && place.isLeft() == isLeft ? stacks.get(place.index()) : input;
    }

    /** The bits are those of the ranking. */
    @Override
    public double slack(SideRows leftRows, int index, double greatestNorm) {
        return 0;
    }
}
