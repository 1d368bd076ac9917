package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.SideRows;
import io.github.broadloom.sql.nearest.RankingForm.SideCell;
import io.github.broadloom.table.CellReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.jspecify.annotations.Nullable;

/** Reads of rows what scores are computed of. It serves one thread. */
interface ScoreCells {
    /** The cells of the right side. */
    SideRows right(InternalRow[] rows, int count);

    /** The cells of some rows of the left side, which are scored with those. */
    SideRows left(InternalRow[] rows, int first, int count, SideRows right);

    /** Their scores. */
    PairScores.Form form(SideRows left, SideRows right);

    /** How far the scores of a regular row may be from what they should be, twice. */
    double slack(SideRows left, int index, double greatestNorm);

    static ScoreCells of(RankingForm form) {
        if (form instanceof RankingForm.OfVectors vectors) {
            return new MetricCells(vectors);
        }
        return form instanceof RankingForm.OfKernel kernel ? new KernelCells(kernel) : new NoCells();
    }

    /** What one side decides of a ranking, row by row. */
    final class Reader {
        private final UnsafeProjection projection;
        private final List<CellReader> readers = new ArrayList<>();
        private final @Nullable Object[] cells;

        Reader(List<SideCell> cells) {
            List<Expression> expressions =
                    cells.stream().map(SideCell::expression).toList();
            this.projection = UnsafeProjection.create(Scala.seq(expressions));
            this.cells = new Object[cells.size()];
            cells.forEach(cell ->
                    readers.add(new CellReader("rank rows", cell.expression().sql(), cell.type())));
        }

        /** Reads the cells of a row, which are valid until the next is read; whether none is NULL. */
        boolean read(InternalRow row) {
            InternalRow values = projection.apply(row);
            for (int i = 0; i < cells.length; i++) {
                cells[i] = readers.get(i).cell(values, i);
                if (cells[i] == null) {
                    return false;
                }
            }
            return true;
        }

        CellReader reader(int place) {
            return readers.get(place);
        }

        /** A cell of the row that was read last. */
        Object cell(int place) {
            return java.util.Objects.requireNonNull(cells[place]);
        }

        int count() {
            return cells.length;
        }
    }

    /** Of a ranking without scores: every row is irregular. */
    final class NoCells implements ScoreCells {
        @Override
        public SideRows right(InternalRow[] rows, int count) {
            return irregular(0, count);
        }

        @Override
        public SideRows left(InternalRow[] rows, int first, int count, SideRows right) {
            return irregular(first, count);
        }

        private static SideRows irregular(int first, int count) {
            SideRows rows = new SideRows(List.of(), 0);
            for (int row = first; row < first + count; row++) {
                rows.addIrregular(row);
            }
            return rows;
        }

        @Override
        public PairScores.Form form(SideRows left, SideRows right) {
            throw new IllegalStateException("Cannot score pairs: all are ranked one by one");
        }

        @Override
        public double slack(SideRows left, int index, double greatestNorm) {
            return 0;
        }
    }
}
