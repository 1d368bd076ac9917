package io.github.broadloom.nearest;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/** The nearest rows of one matrix to each row of another: of this machine's memory. */
public final class NearestRows {
    private final Vectors a;
    private final Vectors b;
    private final int k;
    private final VectorMetric metric;
    private final VectorCells cells;

    private NearestRows(Vectors a, Vectors b, int k, VectorMetric metric) {
        this.a = a;
        this.b = b;
        this.k = k;
        this.metric = metric;
        MeanVector mean = new MeanVector(b.columns());
        double[] vector = new double[b.columns()];
        for (int row = 0; row < b.count(); row++) {
            mean.add(b.read(row, vector));
        }
        this.cells = new VectorCells(metric, mean.value(), false);
    }

    /** The dtype in which vectors of a dtype are held: float32 where that has every value, else float64. */
    public static DType dtype(DType elements) {
        return elements.bytes() <= 2 || elements == DType.FLOAT32 ? DType.FLOAT32 : DType.FLOAT64;
    }

    /**
     * Refuses what has no nearest rows.
     *
     * @throws IllegalArgumentException with PyTorch's texts, where {@code k} is more than the rows of {@code b} or the columns differ; and where one is no matrix, or has no columns
     */
    public static void check(Shape a, Shape b, int k) {
        if (a.rank() != 2 || b.rank() != 2) {
            throw new IllegalArgumentException("Cannot find the nearest rows of " + b + " to those of " + a
                    + ": both must be matrices [rows, columns]; reshape them");
        }
        if (a.size(1) != b.size(1)) {
            throw new IllegalArgumentException(
                    "X1 and X2 must have the same number of columns. X1: " + a.size(1) + " X2: " + b.size(1));
        }
        if (a.size(1) == 0) {
            throw new IllegalArgumentException(
                    "Cannot find the nearest rows of " + b + " to those of " + a + ": they have no columns");
        }
        if (k < 1) {
            throw new IllegalArgumentException("Cannot find the nearest " + k + " rows: at least one must be wanted");
        }
        if (k > b.size(0)) {
            throw new IllegalArgumentException("selected index k out of range");
        }
    }

    /**
     * The k nearest rows of {@code b} to each row of {@code a}.
     *
     * @param a {@code [n, d]}, of the dtype that {@link #dtype} tells
     * @param b {@code [m, d]}, as well, and m less than 2³¹
     * @param device that computes scores
     * @param threads how many of this JVM's search
     * @return float64 and int64 {@code [n, k]}: the nearest first, of equally near ones the least index
     */
    public static ValuesAndIndices<Tensor> of(
            Tensor a, Tensor b, int k, VectorMetric metric, Device device, int threads) {
        check(a.shape(), b.shape(), k);
        NearestRows search = new NearestRows(new Vectors(a.contiguous()), new Vectors(b.contiguous()), k, metric);
        return search.search(device, threads);
    }

    private ValuesAndIndices<Tensor> search(Device device, int threads) {
        Shape shape = Shape.of(a.count(), k);
        Tensor distances = Tensors.empty(DType.FLOAT64, shape);
        Tensor indices = Tensors.empty(DType.INT64, shape);
        int atOnce = (int) Math.max(1, Math.min(PairBlocks.rowsAtOnce(k), (a.count() + threads - 1) / threads));
        try (SideRows right = columns(device)) {
            Parallel.forRanges(threads, a.count(), Parallel.rangeLength(threads, a.count(), atOnce), () -> {
                return (first, end) -> {
                    try (PairBlocks blocks = new PairBlocks(k, Devices.backend(device))) {
                        KLeast least = new KLeast(atOnce, k);
                        for (long row = first; row < end; row += atOnce) {
                            int count = (int) Math.min(atOnce, end - row);
                            rank(row, count, right, blocks, least);
                            write(row, count, least, distances, indices);
                        }
                    }
                };
            });
        } catch (RuntimeException | Error e) {
            distances.release();
            indices.release();
            throw e;
        }
        return new ValuesAndIndices<>(distances, indices);
    }

    private SideRows columns(Device device) {
        try (PairBlocks blocks = new PairBlocks(k, Devices.backend(device))) {
            SideRows side = new SideRows(cells, Math.toIntExact(b.count()));
            double[] vector = new double[b.columns()];
            for (int row = 0; row < b.count(); row++) {
                side.add(row, cells.column(b.read(row, vector), side.next(0)));
            }
            return blocks.packed(side);
        }
    }

    private void rank(long first, int count, SideRows right, PairBlocks blocks, KLeast least) {
        double[][] vectors = new double[count][a.columns()];
        double[] other = new double[b.columns()];
        least.clear();
        try (SideRows left = new SideRows(cells, count)) {
            for (int i = 0; i < count; i++) {
                left.add(i, cells.row(a.read(first + i, vectors[i]), left.next(0)));
            }
            PairBlocks.Scoring scoring = new PairBlocks.Scoring() {
                @Override
                public PairScores.Form form() {
                    return cells.form();
                }

                @Override
                public double slack(int index, double greatestNorm) {
                    return cells.slack(left.norm(index), greatestNorm);
                }
            };
            blocks.rank(left, right, scoring, (row, column) -> {
                double rank = metric.rank(vectors[row], b.read(column, other));
                least.offer(row, KLeast.key(rank), column);
            });
        }
    }

    private void write(long first, int count, KLeast least, Tensor distances, Tensor indices) {
        double[] ranks = new double[count * k];
        long[] ids = new long[count * k];
        for (int row = 0; row < count; row++) {
            least.sort(row);
            for (int place = 0; place < k; place++) {
                ranks[row * k + place] = KLeast.rank(least.key(row, place));
                ids[row * k + place] = least.id(row, place);
            }
        }
        RawMemory.copy(ranks, 0, distances.address() + first * k * Double.BYTES, ranks.length);
        RawMemory.copy(ids, 0, indices.address() + first * k * Long.BYTES, ids.length);
    }

    /** The rows of a contiguous matrix. */
    private record Vectors(Tensor rows) {
        long count() {
            return rows.shape().size(0);
        }

        int columns() {
            return Math.toIntExact(rows.shape().size(1));
        }

        /** Reads a row, and tells where it read it to. */
        double[] read(long row, double[] vector) {
            long address = rows.address() + row * rows.dtype().sizeBytes(vector.length);
            if (rows.dtype() == DType.FLOAT64) {
                RawMemory.copy(address, vector, 0, vector.length);
                return vector;
            }
            float[] floats = new float[vector.length];
            RawMemory.copy(address, floats, 0, floats.length);
            for (int i = 0; i < floats.length; i++) {
                vector[i] = floats[i];
            }
            return vector;
        }
    }
}
