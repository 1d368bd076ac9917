package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.nearest.MeanVector;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.SideRows;
import io.github.broadloom.nearest.VectorCells;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a ranking by a metric of vectors: what stands for a vector where its scores are computed. A vector of another length than the first, or with NULL, NaN or numbers whose squares leave
 * a float, is irregular.
 */
final class MetricCells implements ScoreCells {
    private static final int ENOUGH_FOR_A_MEAN = 2048;

    private final RankingForm.OfVectors ranking;
    private final Reader left;
    private final Reader right;

    MetricCells(RankingForm.OfVectors ranking) {
        this.ranking = ranking;
        this.left = new Reader(List.of(ranking.vector()));
        this.right = new Reader(List.of(ranking.other()));
    }

    @Override
    public SideRows right(InternalRow[] rows, int count) {
        VectorCells vectors = new VectorCells(ranking.metric(), mean(rows, count), ranking.isNegated());
        SideRows side = new SideRows(vectors, count);
        for (int i = 0; i < count; i++) {
            if (right.read(rows[i])) {
                double[] vector = vector(right, vectors.dimensions());
                side.add(i, vector == null ? Double.NaN : vectors.column(vector, side.next(0)));
            }
        }
        return side;
    }

    /** About the mean of the vectors: that of some which are as long as the first, and finite. */
    private double[] mean(InternalRow[] rows, int count) {
        MeanVector mean = null;
        int dimensions = 0;
        int step = Math.max(1, count / ENOUGH_FOR_A_MEAN);
        for (int i = 0; i < count; i += mean == null ? 1 : step) {
            if (!right.read(rows[i])) {
                continue;
            }
            if (mean == null) {
                dimensions = ((ArrayData) right.cell(0)).numElements();
                mean = new MeanVector(dimensions);
            }
            double[] vector = vector(right, dimensions);
            if (vector != null) {
                mean.add(vector);
            }
        }
        return mean == null ? new double[0] : mean.value();
    }

    @Override
    public SideRows left(InternalRow[] rows, int first, int count, SideRows others) {
        VectorCells vectors = others.vectors();
        SideRows side = new SideRows(vectors, count);
        for (int i = first; i < first + count; i++) {
            if (left.read(rows[i])) {
                double[] vector = vector(left, vectors.dimensions());
                side.add(i, vector == null ? Double.NaN : vectors.row(vector, side.next(0)));
            }
        }
        return side;
    }

    /** The vector that was read, or null where it has another length, or a NULL in it. */
    private static double @Nullable [] vector(Reader reader, int dimensions) {
        CellReader cells = reader.reader(0);
        Shape shape = Shape.of(dimensions);
        if (!cells.hasShape(reader.cell(0), shape)) {
            return null;
        }
        double[] vector = new double[dimensions];
        try {
            if (cells.dtype() == DType.FLOAT64) {
                cells.read(reader.cell(0), shape, vector);
            } else {
                float[] floats = new float[dimensions];
                cells.read(reader.cell(0), shape, floats);
                for (int i = 0; i < dimensions; i++) {
                    vector[i] = floats[i];
                }
            }
            return vector;
        } catch (IllegalArgumentException e) { // as of a NULL
            return null;
        }
    }

    @Override
    public PairScores.Form form(SideRows leftRows, SideRows rightRows) {
        return rightRows.vectors().form();
    }

    @Override
    public double slack(SideRows leftRows, int index, double greatestNorm) {
        return leftRows.vectors().slack(leftRows.norm(index), greatestNorm);
    }
}
