package io.github.broadloom.nearest;

import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The cells of rows of one side, of which scores are computed. A row of which one is NULL, so that no rank of it is a value, is in none of the lists. */
public final class SideRows implements AutoCloseable {
    /** What fills up the last tile of packed rows has room behind them. */
    private static final int SPARE = 15;

    private final List<PairScores.Cell> cells;
    private final List<Tensor> stacks;
    private int[] regular;
    private int[] irregular = new int[0];
    private double[] norms;
    private int regulars;
    private int irregulars;
    private boolean isPacked;

    private final @Nullable VectorCells vectors;

    /** @param most how many regular rows there may be */
    public SideRows(List<PairScores.Cell> cells, int most) {
        this(cells, null, most, most);
    }

    /** Of rows whose cells stand for vectors. */
    public SideRows(VectorCells vectors, int most) {
        this(List.of(vectors.cell()), vectors, most, most + SPARE);
    }

    private SideRows(List<PairScores.Cell> cells, @Nullable VectorCells vectors, int most, int room) {
        this.cells = cells;
        this.vectors = vectors;
        this.stacks = cells.stream()
                .map(cell -> Tensors.empty(cell.dtype(), cell.shape().withLeading(room)))
                .toList();
        this.regular = new int[most];
        this.norms = new double[most];
    }

    /** What scores are computed of, for each row. */
    public List<PairScores.Cell> cells() {
        return cells;
    }

    /** Whether scores are products of what stands for vectors. */
    boolean areProducts() {
        return vectors != null && vectors.areProducts();
    }

    /** What made the cells, where they stand for vectors. */
    public VectorCells vectors() {
        return Objects.requireNonNull(vectors);
    }

    /** Where the cell of the row that comes next is written; it is there once the row is {@linkplain #addRegular added}. */
    public long next(int place) {
        return stacks.get(place).address() + regulars * cells.get(place).bytes();
    }

    /** Adds a row whose cells are written. */
    public void addRegular(int row, double norm) {
        regular[regulars] = row;
        norms[regulars++] = norm;
    }

    /** Adds a row whose cells are written, if their norm is a number, and else as one whose pairs are ranked one by one. */
    public void add(int row, double norm) {
        if (Double.isNaN(norm)) {
            addIrregular(row);
        } else {
            addRegular(row, norm);
        }
    }

    /** Adds a row whose pairs are ranked one by one. */
    public void addIrregular(int row) {
        if (irregulars == irregular.length) {
            irregular = Arrays.copyOf(irregular, 2 * irregulars + 16);
        }
        irregular[irregulars++] = row;
    }

    int regularCount() {
        return regulars;
    }

    int regular(int index) {
        return regular[index];
    }

    /** The norm of a regular row. */
    public double norm(int index) {
        return norms[index];
    }

    double greatestNorm() {
        return Arrays.stream(norms, 0, regulars).max().orElse(0);
    }

    int irregularCount() {
        return irregulars;
    }

    int irregular(int index) {
        return irregular[index];
    }

    /** Copies the cells at a place of some regular rows. */
    void copy(int place, int first, int count, long to) {
        long bytes = cells.get(place).bytes();
        RawMemory.copy(stacks.get(place).address() + first * bytes, to, count * bytes);
    }

    /** What stands for the vectors of all regular rows, {@code [rows, places]}, where it lies. */
    Tensor matrix() {
        return stacks.get(0).narrow(0, 0, regulars);
    }

    /** Reads the cells of some regular rows, which stand for vectors; of packed ones both numbers are of full tiles. */
    void read(int first, int count, float[] into) {
        int places = places();
        RawMemory.copy(stacks.get(0).address() + first * cells.get(0).bytes(), into, 0, count * places);
    }

    private int places() {
        return (int) cells.get(0).shape().numel();
    }

    /** Whether the cells lie as {@link #pack} puts them. */
    boolean isPacked() {
        return isPacked;
    }

    /** Packs the cells where they lie, as those of columns; none may be added afterwards. */
    void pack(PackedProducts products) {
        int tile = products.columnTile();
        if (tile > SPARE + 1) {
            throw new IllegalArgumentException("Cannot pack " + tile + " rows together: at most " + (SPARE + 1));
        }
        float[] lines = new float[tile * places()];
        float[] packed = new float[lines.length];
        for (int first = 0; first < regulars; first += tile) {
            read(first, tile, lines);
            products.pack(lines, Math.min(tile, regulars - first), places(), tile, packed);
            long address = stacks.get(0).address() + first * cells.get(0).bytes();
            RawMemory.copy(packed, 0, address, packed.length);
        }
        isPacked = true;
    }

    @Override
    public void close() {
        stacks.forEach(Tensor::release);
    }
}
