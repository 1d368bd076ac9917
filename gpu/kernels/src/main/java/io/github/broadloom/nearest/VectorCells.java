package io.github.broadloom.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import java.util.List;

/**
 * What stands for vectors where scores by a {@link VectorMetric} are computed: in a matrix product, or in a kernel with its formula. Distances are those of vectors from which a mean is taken, so that scores of vectors that are all far
 * from zero, and near each other, are as exact as those of others.
 */
public final class VectorCells {
    private final VectorMetric metric;
    private final double[] mean;
    private final int sign;

    /**
     * The cells of vectors of some dimensions.
     *
     * @param mean of the columns, of as many elements as there are dimensions
     * @param isNegated whether the least scores are the farthest vectors
     */
    public VectorCells(VectorMetric metric, double[] mean, boolean isNegated) {
        this.metric = metric;
        this.mean = metric.isOfDifferences() ? mean.clone() : new double[mean.length];
        this.sign = isNegated ? -1 : 1;
    }

    public int dimensions() {
        return mean.length;
    }

    /** Whether scores are matrix products. */
    boolean areProducts() {
        return metric.isProduct();
    }

    /** A cell of either side. */
    public PairScores.Cell cell() {
        return new PairScores.Cell(DType.FLOAT32, Shape.of(dimensions() + metric.extra()));
    }

    /**
     * Writes what stands for a vector among the rows.
     *
     * @return its norm, or NaN where its scores would not be as exact as {@link #slack} says
     */
    public double row(double[] vector, long address) {
        double[] values = centred(vector);
        double norm = VectorMetric.norm(values);
        float[] cell = new float[values.length + metric.extra()];
        metric.row(values, norm, cell);
        for (int i = 0; sign < 0 && metric.isProduct() && i < cell.length; i++) {
            cell[i] = -cell[i];
        }
        return written(cell, norm, address);
    }

    /** Writes what stands for a vector among the columns, as {@link #row}. */
    public double column(double[] vector, long address) {
        double[] values = centred(vector);
        double norm = VectorMetric.norm(values);
        float[] cell = new float[values.length + metric.extra()];
        metric.column(values, norm, cell);
        return written(cell, norm, address);
    }

    private double[] centred(double[] vector) {
        double[] values = new double[vector.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = vector[i] - mean[i];
        }
        return values;
    }

    private double written(float[] cell, double norm, long address) {
        if (!metric.isRegular(norm)) {
            return Double.NaN;
        }
        RawMemory.copy(cell, 0, address, cell.length);
        return norm;
    }

    /** As {@link VectorMetric#slack}, for a row of this norm. */
    public double slack(double rowNorm, double greatestColumnNorm) {
        return metric.slack(dimensions(), rowNorm, greatestColumnNorm);
    }

    /** The scores. */
    public PairScores.Form form() {
        List<PairScores.Cell> cells = List.of(cell());
        return new PairScores.Form() {
            @Override
            public List<PairScores.Cell> row() {
                return cells;
            }

            @Override
            public List<PairScores.Cell> column() {
                return cells;
            }

            @Override
            public Expr scores(List<Expr> rows, List<Expr> columns) {
                Expr all = metric.scores(rows.get(0), columns.get(0));
                return sign < 0 && !metric.isProduct() ? Expr.apply(Ops.NEG, all) : all;
            }
        };
    }
}
