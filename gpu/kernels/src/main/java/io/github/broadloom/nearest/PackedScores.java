package io.github.broadloom.nearest;

import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.tensor.Cancellation;

/**
 * Scores that are products of vectors, of columns that were {@linkplain SideRows#pack packed} before. Of many rows and columns some are there at a time: few enough rows that their scores stay in the second cache until
 * they are offered, and enough that a block of columns, which comes from memory, meets many. It serves one thread.
 */
final class PackedScores {
    private static final int ROW_FLOATS = 1 << 20;
    private static final int COLUMN_FLOATS = 1 << 19;
    private static final int MOST_COLUMNS = 512;

    private final PackedProducts products;
    private float[] lines = new float[0];
    private float[] rows = new float[0];
    private float[] columns = new float[0];
    private float[] scores = new float[0];

    PackedScores(PackedProducts products) {
        this.products = products;
    }

    /** Offers the scores of all pairs of regular rows. */
    void offer(SideRows left, SideRows right, Shortlist shortlist) {
        int places = (int) right.cells().get(0).shape().numel();
        int most = Math.max(1, places);
        int rowCount = tiles(ROW_FLOATS / most, products.rowTile(), left.regularCount());
        int columnCount =
                tiles(Math.min(MOST_COLUMNS, COLUMN_FLOATS / most), products.columnTile(), right.regularCount());
        lines = atLeast(lines, rowCount * places);
        rows = atLeast(rows, rowCount * places);
        columns = atLeast(columns, columnCount * places);
        scores = atLeast(scores, products.rowsAtATime() * columnCount);
        for (int row = 0; row < left.regularCount(); row += rowCount) {
            int count = Math.min(rowCount, left.regularCount() - row);
            left.read(row, count, lines);
            products.pack(lines, count, places, products.rowTile(), rows);
            for (int column = 0; column < right.regularCount(); column += columnCount) {
                Cancellation.check();
                int there = Math.min(columnCount, right.regularCount() - column);
                int full = tiles(there, products.columnTile(), there);
                right.read(column, full, columns);
                offer(row, count, column, there, full, places, shortlist);
            }
        }
    }

    private void offer(
            int firstRow, int rowCount, int column, int columnCount, int full, int places, Shortlist shortlist) {
        int most = products.rowsAtATime();
        for (int first = 0; first < rowCount; first += most) {
            int count = Math.min(most, rowCount - first);
            products.multiply(rows, first, tiles(count, products.rowTile(), count), columns, full, places, scores);
            for (int row = 0; row < count; row++) {
                shortlist.offer(firstRow + first + row, scores, row * full, columnCount, column, products);
            }
        }
    }

    /** As many lines as wanted and there, in full tiles. */
    private static int tiles(int wanted, int tile, int there) {
        return (Math.max(1, Math.min(wanted, there)) + tile - 1) / tile * tile;
    }

    private static float[] atLeast(float[] known, int count) {
        return known.length < count ? new float[count] : known;
    }
}
