package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.memory.Matrices;
import io.github.broadloom.cpu.products.ProductBlocks.Block;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.BoxCopy.Loop;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The products of a {@link MatrixNest} on one thread, block by block: the operands' lines are packed, {@link
 * Contraction#PANEL} places at a time, into arrays that stay in the second cache, and multiplied tile by tile.
 */
public final class GemmPass implements Parallel.Worker {
    /** The elements of packed rows that are kept for the blocks beside: no more than the second cache has. */
    private static final int MOST_KEPT = 1 << 18;

    private final MatrixNest nest;
    private final ProductBlocks blocks;
    private final ProductSums panelSums;
    private final long places;
    /** The packed rows of a block: of one panel, or of all, which the next blocks of the same rows find there. */
    private final Object left;

    private final boolean keepsRows;
    private final Object right;
    private final Object stored;
    private @Nullable Block packed;

    private GemmPass(MatrixNest nest, ProductBlocks blocks, long places) {
        this.nest = nest;
        this.blocks = blocks;
        this.places = places;
        this.panelSums = new ProductSums(nest.product.tensor().dtype(), blocks.mostElements());
        int panel = (int) Math.min(places, Contraction.PANEL);
        this.keepsRows = panelSums.isStored() && blocks.mostRows() * places <= MOST_KEPT;
        this.left = panelSums.allocate(blocks.mostRows() * (keepsRows ? (int) places : panel));
        this.right = panelSums.allocate(blocks.mostColumns() * panel);
        int most = Math.max(blocks.mostElements(), Math.max(blocks.mostRows(), blocks.mostColumns()) * panel);
        this.stored = nest.product.tensor().dtype().primitive().newArray(panelSums.isStored() ? 0 : most);
    }

    /** A fresh contiguous tensor with the value of a contraction of these operands. */
    public static Tensor run(Contraction contraction, Tensor a, Tensor b, int threads) {
        long places = contraction.contractedCount();
        if (contraction.shape().numel() == 0 || places == 0) {
            return Tensors.zeros(contraction.shape(), contraction.dtype());
        }
        try (MatrixNest nest = new MatrixNest(contraction, a, b)) {
            if (GemvPass.suits(nest)) {
                GemvPass.run(nest, threads);
            } else {
                run(nest, places, threads);
            }
            return nest.result();
        }
    }

    private static void run(MatrixNest nest, long places, int threads) {
        ProductBlocks blocks = new ProductBlocks(nest.product, places, threads);
        long length = Parallel.rangeLength(threads, blocks.count(), 1);
        Parallel.forRanges(threads, blocks.count(), length, () -> new GemmPass(nest, blocks, places));
    }

    @Override
    public void run(long first, long end) {
        for (long index = first; index < end; index++) {
            compute(blocks.block(index));
        }
    }

    private void compute(Block block) {
        int tileRows = (block.rows() + MicroKernels.ROWS - 1) / MicroKernels.ROWS;
        int tileColumns = (block.columns() + MicroKernels.COLUMNS - 1) / MicroKernels.COLUMNS;
        int step = tileColumns * MicroKernels.COLUMNS;
        int elements = block.batches() * tileRows * MicroKernels.ROWS * step;
        boolean isPacked = keepsRows && block.hasRowsOf(packed);
        packed = block;
        for (long place = 0; place < places; place += Contraction.PANEL) {
            Cancellation.check();
            int panel = (int) Math.min(Contraction.PANEL, places - place);
            int leftAt = keepsRows ? block.batches() * tileRows * MicroKernels.ROWS * (int) place : 0;
            if (!isPacked) {
                pack(nest.left, block, block.row(), block.rows(), MicroKernels.ROWS, place, panel, left, leftAt);
            }
            pack(nest.right, block, block.column(), block.columns(), MicroKernels.COLUMNS, place, panel, right, 0);
            Object products = panelSums.take();
            panelSums.products().clear(products, elements);
            multiply(block.batches(), tileRows, tileColumns, panel, leftAt, products);
            panelSums.push(products, elements);
        }
        store(block, panelSums.finish(), tileRows * MicroKernels.ROWS, step, elements);
    }

    /** Lines as tiles of so many side by side, place by place; what fills up the last tile may be anything. */
    private void pack(
            Matrices from,
            Block block,
            long line,
            int lines,
            int tileLines,
            long place,
            int panel,
            Object into,
            int at) {
        long address = from.address(block.series(), block.batch(), line, place);
        int bytes = from.tensor().dtype().bytes();
        int tile = tileLines * panel * bytes;
        int full = lines / tileLines;
        int rest = lines % tileLines;
        int tiles = rest > 0 ? full + 1 : full;
        Object target = panelSums.isStored() ? into : stored;
        long start = RawMemory.firstElement(target) + (long) at * bytes;
        Loop matrices = new Loop(block.batches(), from.seriesStep(), (long) tiles * tile);
        Loop along = new Loop(panel, from.placeStep(), (long) tileLines * bytes);
        if (full > 0) {
            Loop beside = new Loop(full, tileLines * from.lineStep(), tile);
            Loop inTile = new Loop(tileLines, from.lineStep(), bytes);
            copy(bytes, matrices, beside, inTile, along).copy(null, address, target, start);
        }
        if (rest > 0) {
            long last = address + (lines - rest) * from.lineStep();
            Loop inTile = new Loop(rest, from.lineStep(), bytes);
            copy(bytes, matrices, new Loop(1, 0, 0), inTile, along)
                    .copy(null, last, target, start + (long) full * tile);
        }
        if (!panelSums.isStored()) {
            panelSums.load(stored, into, block.batches() * tiles * tileLines * panel);
        }
    }

    /** Innermost the loop whose elements lie together. */
    private static BoxCopy copy(int bytes, Loop matrices, Loop beside, Loop inTile, Loop along) {
        boolean together = inTile.fromBytes() == bytes && along.fromBytes() != bytes;
        List<Loop> loops =
                together ? List.of(matrices, along, beside, inTile) : List.of(matrices, beside, inTile, along);
        return new BoxCopy(bytes, loops);
    }

    /** Tile by tile, those of one packed tile of columns one after the other: it stays in the first cache. */
    private void multiply(int batches, int tileRows, int tileColumns, int panel, int leftAt, Object products) {
        int step = tileColumns * MicroKernels.COLUMNS;
        for (int batch = 0; batch < batches; batch++) {
            for (int column = 0; column < tileColumns; column++) {
                int b = (batch * tileColumns + column) * MicroKernels.COLUMNS * panel;
                for (int row = 0; row < tileRows; row++) {
                    int tile = batch * tileRows + row;
                    int at = tile * MicroKernels.ROWS * step + column * MicroKernels.COLUMNS;
                    panelSums
                            .products()
                            .multiply(
                                    left,
                                    leftAt + tile * MicroKernels.ROWS * panel,
                                    right,
                                    b,
                                    panel,
                                    products,
                                    at,
                                    step);
                }
            }
        }
    }

    private void store(Block block, Object sums, int blockRows, int step, int elements) {
        Matrices to = nest.product;
        panelSums.store(sums, stored, elements);
        Object source = panelSums.isStored() ? sums : stored;
        int bytes = to.tensor().dtype().bytes();
        BoxCopy copy = new BoxCopy(
                bytes,
                List.of(
                        new Loop(block.batches(), (long) blockRows * step * bytes, to.seriesStep()),
                        new Loop(block.rows(), (long) step * bytes, to.lineStep()),
                        new Loop(block.columns(), bytes, to.placeStep())));
        long address = to.address(block.series(), block.batch(), block.row(), block.column());
        copy.copy(source, RawMemory.firstElement(source), null, address);
    }
}
