package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.memory.Matrices;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.BoxCopy.Loop;
import io.github.broadloom.tensor.RawMemory;
import java.util.List;

/**
 * The products of a {@link MatrixNest} whose left matrices are single rows, on one thread: the lines of the right ones are read
 * once, as they lie, several at a time, and multiplied with the row; of single columns, those of several matrices. A tile would be
 * mostly empty. Each element has the bits that {@link GemmPass} gives it.
 */
final class GemvPass implements Parallel.Worker {
    private static final int LINES = MicroKernels.LINES;

    /** Products that take about as long as to wake another thread. */
    private static final long GRAIN_PRODUCTS = 1 << 16;

    private final Matrices left;
    private final Matrices right;
    private final Matrices product;
    private final boolean single;
    private final ProductSums panelSums;
    private final Object a;
    private final Object b;
    private final Object sums;
    private final Object stored;
    private final Object storedSums;

    private GemvPass(MatrixNest nest) {
        this.left = nest.left;
        this.right = nest.right;
        this.product = nest.product;
        this.single = product.places() == 1;
        this.panelSums = new ProductSums(product.tensor().dtype(), LINES);
        this.a = panelSums.allocate(LINES * Contraction.PANEL);
        this.b = panelSums.allocate(LINES * Contraction.PANEL);
        this.sums = panelSums.allocate(LINES);
        this.stored = product.tensor().dtype().primitive().newArray(LINES * Contraction.PANEL);
        this.storedSums = product.tensor().dtype().primitive().newArray(LINES);
    }

    /** Whether lines are read as fast as they lie: along their places, or where there is nothing else. */
    static boolean suits(MatrixNest nest) {
        Matrices right = nest.right;
        boolean along = right.placeStep() == right.tensor().dtype().bytes();
        return nest.left.lines() == 1 && (along || right.lines() == 1);
    }

    static void run(MatrixNest nest, int threads) {
        GemvPass first = new GemvPass(nest);
        long groups = first.groups() * first.rounds();
        long grain = Math.max(1, GRAIN_PRODUCTS / (LINES * nest.left.places()));
        long length = Parallel.rangeLength(threads, groups, grain);
        Parallel.forRanges(threads, groups, length, () -> new GemvPass(nest));
    }

    /** How many lines, or matrices with a single one, follow each other with one step. */
    private long inner() {
        return single ? product.series() : product.places();
    }

    private long groups() {
        return (inner() + LINES - 1) / LINES;
    }

    /** How often there are so many. */
    private long rounds() {
        return product.tensor().numel() / inner();
    }

    @Override
    public void run(long first, long end) {
        for (long index = first; index < end; index++) {
            long from = index % groups() * LINES;
            compute(index / groups(), from, (int) Math.min(LINES, inner() - from));
        }
    }

    private void compute(long round, long from, int count) {
        long series = single ? round : round / product.series();
        long matrix = single ? from : round % product.series();
        long line = single ? 0 : from;
        long leftAt = left.address(series, matrix, 0, 0);
        long rightAt = right.address(series, matrix, line, 0);
        long places = left.places();
        long place = count == 1 ? panels(leftAt, rightAt, places) : 0;
        for (; place < places; place += Contraction.PANEL) {
            int n = (int) Math.min(Contraction.PANEL, places - place);
            int rows = single ? count : 1;
            load(left, leftAt + place * left.placeStep(), rows, left.seriesStep(), n, a);
            load(
                    right,
                    rightAt + place * right.placeStep(),
                    count,
                    single ? right.seriesStep() : right.lineStep(),
                    n,
                    b);
            Object products = panelSums.take();
            panelSums.products().dots(a, single ? n : 0, b, n, n, products);
            panelSums.push(products, LINES);
        }
        store(panelSums.finish(), product.address(series, matrix, 0, line), count);
    }

    /** Of one line, several whole panels at a time; returns how many places are done. */
    private long panels(long leftAt, long rightAt, long places) {
        long whole = places - places % (LINES * Contraction.PANEL);
        for (long place = 0; place < whole; place += LINES * Contraction.PANEL) {
            load(left, leftAt + place * left.placeStep(), 1, 0, LINES * Contraction.PANEL, a);
            load(right, rightAt + place * right.placeStep(), 1, 0, LINES * Contraction.PANEL, b);
            panelSums.products().dots(a, Contraction.PANEL, b, Contraction.PANEL, Contraction.PANEL, sums);
            for (int panel = 0; panel < LINES; panel++) {
                Object products = panelSums.take();
                System.arraycopy(sums, panel, products, 0, 1);
                panelSums.push(products, LINES);
            }
        }
        return whole;
    }

    private void load(Matrices from, long address, int lines, long lineStep, int n, Object into) {
        int bytes = from.tensor().dtype().bytes();
        Object target = panelSums.isStored() ? into : stored;
        Loop beside = new Loop(lines, lineStep, (long) n * bytes);
        new BoxCopy(bytes, List.of(beside, new Loop(n, from.placeStep(), bytes)))
                .copy(null, address, target, RawMemory.firstElement(target));
        if (!panelSums.isStored()) {
            panelSums.load(stored, into, lines * n);
        }
    }

    private void store(Object values, long address, int count) {
        panelSums.store(values, storedSums, LINES);
        Object source = panelSums.isStored() ? values : storedSums;
        int bytes = product.tensor().dtype().bytes();
        long step = single ? product.seriesStep() : product.placeStep();
        new BoxCopy(bytes, List.of(new Loop(count, bytes, step)))
                .copy(source, RawMemory.firstElement(source), null, address);
    }
}
