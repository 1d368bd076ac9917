package io.github.broadloom.nearest;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.tensor.Cancellation;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Ranks the pairs of some rows and others that may be among the nearest, which scores of all pairs tell, a block at a time. It serves one thread. */
public final class PairBlocks implements AutoCloseable {
    /** So many rows make it little what is done once for each block of columns. */
    public static final int MOST_ROWS = 1024;

    private static final int MOST_COLUMNS = 1024;

    /** Scores of a block are at most a megabyte, which stays in the second cache. */
    private static final int MOST_SCORES = 1 << 18;

    private static final int MOST_RESULTS = 1 << 22;

    /** So many are wanted of a row where a GPU finds the least products, at most. */
    public static final int MOST_ON_GPU = (LeastProducts.MOST - Shortlist.capacity(0)) / 2;

    private final int k;
    private final Backend backend;
    private final Optional<PackedProducts> products;
    private final Optional<PackedScores> packed;
    private final Optional<LeastProducts> least;
    private @Nullable PairScores scores;
    private List<List<PairScores.Cell>> scored = List.of();

    /** How the regular rows of both sides are scored. */
    public interface Scoring {
        PairScores.Form form();

        /** How far the scores of a left row may be from what they should be, twice. */
        double slack(int index, double greatestNorm);
    }

    public PairBlocks(int k, Backend backend) {
        this.k = k;
        this.backend = backend;
        this.products = backend.packedProducts();
        this.packed = products.map(PackedScores::new);
        this.least = canFindLeast(k) ? backend.leastProducts() : Optional.empty();
    }

    /** Whether so few are wanted that a GPU finds the least products by itself. */
    public static boolean canFindLeast(int k) {
        return k <= MOST_ON_GPU;
    }

    /** Puts the cells of right rows, all of which are there, in the order in which the device multiplies; tells the rows. */
    public SideRows packed(SideRows right) {
        if (right.areProducts()) {
            products.ifPresent(right::pack);
        }
        return right;
    }

    /** How many rows are searched for together: as many as a block of scores has, fewer where each has very many results. */
    public static int rowsAtOnce(int k) {
        return Math.max(1, Math.min(MOST_ROWS, MOST_RESULTS / k));
    }

    /**
     * Ranks the pairs that may be among the k nearest of each left row.
     *
     * @param pairs takes them, by the numbers that the rows have on their sides
     */
    public void rank(SideRows left, SideRows right, Scoring scoring, Shortlist.Pairs pairs) {
        if (left.regularCount() > 0 && right.regularCount() > 0) {
            scored(left, right, scoring, (row, column) -> pairs.rank(left.regular(row), right.regular(column)));
        }
        for (int i = 0; i < left.regularCount(); i++) {
            withIrregular(left.regular(i), right, pairs);
        }
        for (int i = 0; i < left.irregularCount(); i++) {
            int row = left.irregular(i);
            withIrregular(row, right, pairs);
            for (int j = 0; j < right.regularCount(); j++) {
                pairs.rank(row, right.regular(j));
            }
        }
    }

    private static void withIrregular(int row, SideRows right, Shortlist.Pairs pairs) {
        for (int i = 0; i < right.irregularCount(); i++) {
            pairs.rank(row, right.irregular(i));
        }
    }

    private void scored(SideRows left, SideRows right, Scoring scoring, Shortlist.Pairs pairs) {
        int count = left.regularCount();
        Shortlist shortlist = new Shortlist(count, k, pairs);
        double greatest = right.greatestNorm();
        for (int row = 0; row < count; row++) {
            shortlist.begin(row, scoring.slack(row, greatest));
        }
        if (right.isPacked()) {
            packed.orElseThrow().offer(left, right, shortlist);
        } else {
            offer(left, withoutLeast(left, right, shortlist), right, scoring, shortlist);
        }
        for (int row = 0; row < count; row++) {
            shortlist.rank(row);
        }
    }

    /** Offers the least products of each row, and tells the rows of which that was not enough, if it was done at all. */
    private int[] withoutLeast(SideRows left, SideRows right, Shortlist shortlist) {
        IntStream rows = IntStream.range(0, left.regularCount());
        if (least.isEmpty() || !right.areProducts() || right.matrix().numel() == 0) {
            return rows.toArray();
        }
        int count = Math.min(Shortlist.capacity(k), right.regularCount());
        boolean areAll = count == right.regularCount();
        long @Nullable [] found =
                least.orElseThrow().of(left.matrix(), right.matrix(), count).orElse(null);
        return rows.filter(row -> found == null || !shortlist.offerLeast(row, found, row * count, count, areAll))
                .toArray();
    }

    private void offer(SideRows left, int[] which, SideRows right, Scoring scoring, Shortlist shortlist) {
        if (which.length == 0) {
            return;
        }
        PairScores block = block(left, which.length, right, scoring);
        for (int place = 0; place < left.cells().size(); place++) {
            long bytes = left.cells().get(place).bytes();
            for (int i = 0; i < which.length; i++) {
                left.copy(place, which[i], 1, block.rows(place) + i * bytes);
            }
        }
        int columns = block.columnCount();
        for (int column = 0; column < right.regularCount(); column += columns) {
            Cancellation.check();
            int here = Math.min(columns, right.regularCount() - column);
            for (int place = 0; place < right.cells().size(); place++) {
                right.copy(place, column, here, block.columns(place));
            }
            block.run();
            for (int i = 0; i < which.length; i++) {
                shortlist.offer(which[i], block.scores(), i * columns, here, column);
            }
        }
    }

    /** A block for so many rows of these cells. */
    private PairScores block(SideRows left, int rowCount, SideRows right, Scoring scoring) {
        int rows = atLeast(rowCount, MOST_ROWS);
        int columns = atLeast(right.regularCount(), Math.min(MOST_COLUMNS, MOST_SCORES / rows));
        List<List<PairScores.Cell>> wanted = List.of(left.cells(), right.cells());
        PairScores known = scores;
        if (known != null && scored.equals(wanted) && known.rowCount() == rows && known.columnCount() == columns) {
            return known;
        }
        close();
        PairScores fresh = new PairScores(scoring.form(), rows, columns, backend);
        scores = fresh;
        scored = wanted;
        return fresh;
    }

    /** Few are scored in a smaller block. */
    private static int atLeast(int count, int most) {
        return Math.min(most, Integer.highestOneBit(Math.max(1, 2 * count - 1)));
    }

    @Override
    public void close() {
        PairScores known = scores;
        scores = null;
        if (known != null) {
            known.close();
        }
    }
}
