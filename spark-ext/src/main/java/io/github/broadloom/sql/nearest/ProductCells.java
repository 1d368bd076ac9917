package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.nearest.PairScores;
import io.github.broadloom.nearest.VectorCells;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a ranking that is a product of vectors: what stands for a vector in a matrix product. A vector of another length than the first, or with NULL, NaN or numbers whose squares leave
 * a float, is irregular.
 */
final class ProductCells implements ScoreCells {
    private final RankingForm.OfProducts products;
    private final Reader left;
    private final Reader right;

    ProductCells(RankingForm.OfProducts products) {
        this.products = products;
        this.left = new Reader(products.left());
        this.right = new Reader(products.right());
    }

    @Override
    public SideRows right(InternalRow[] rows, int count) {
        VectorCells vectors = new VectorCells(products.metric(), mean(rows, count), products.isNegated());
        SideRows side = new SideRows(vectors, count);
        for (int i = 0; i < count; i++) {
            if (right.read(rows[i])) {
                double[] vector = vector(right, vectors.dimensions());
                add(side, i, vector == null ? Double.NaN : vectors.column(vector, side.next(0)));
            }
        }
        return side;
    }

    /** The mean of the vectors as long as the first that are finite. */
    private double[] mean(InternalRow[] rows, int count) {
        double[] mean = null;
        int added = 0;
        for (int i = 0; i < count; i++) {
            if (!right.read(rows[i])) {
                continue;
            }
            if (mean == null) {
                mean = new double[((ArrayData) right.cell(0)).numElements()];
            }
            double[] vector = vector(right, mean.length);
            if (vector != null && isFinite(vector)) {
                added++;
                for (int d = 0; d < mean.length; d++) {
                    mean[d] += (vector[d] - mean[d]) / added;
                }
            }
        }
        return mean == null ? new double[0] : mean;
    }

    private static boolean isFinite(double[] vector) {
        for (double value : vector) {
            if (!Double.isFinite(value)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public SideRows left(InternalRow[] rows, int first, int count, SideRows others) {
        VectorCells vectors = others.vectors();
        SideRows side = new SideRows(vectors, count);
        for (int i = first; i < first + count; i++) {
            if (left.read(rows[i])) {
                double[] vector = vector(left, vectors.dimensions());
                add(side, i, vector == null ? Double.NaN : vectors.row(vector, side.next(0)));
            }
        }
        return side;
    }

    private static void add(SideRows side, int row, double norm) {
        if (Double.isNaN(norm)) {
            side.addIrregular(row);
        } else {
            side.addRegular(row, norm);
        }
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
