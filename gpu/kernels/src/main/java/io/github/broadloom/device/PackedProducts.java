package io.github.broadloom.device;

/**
 * Products of matrices of floats that lie in an order of the device's own: where one of them meets many others, it is packed once. Each element is a sum of products along the places, of any
 * order, each rounded to a float or fused with the sum. Rows and columns are both called lines of so many places. Safe for use by several threads at once.
 */
public interface PackedProducts {
    /** How many lines of rows fill up what is packed together. */
    int rowTile();

    /** How many lines of columns do. */
    int columnTile();

    /** How many rows are best multiplied at a time, in full tiles; their products are to stay in the second cache. */
    int rowsAtATime();

    /**
     * Packs lines, {@code places} floats each, one behind the other. What fills up the last tile are zeros.
     *
     * @param tile {@link #rowTile} or {@link #columnTile}
     * @param packed takes as many lines as full tiles have
     */
    default void pack(float[] lines, int count, int places, int tile, float[] packed) {
        for (int first = 0; first < count; first += tile) {
            int from = first * places;
            int there = Math.min(tile, count - first);
            for (int place = 0; place < places; place++) {
                int to = from + place * tile;
                for (int i = 0; i < tile; i++) {
                    packed[to + i] = i < there ? lines[from + i * places + place] : 0;
                }
            }
        }
    }

    /**
     * Multiplies some packed rows with some packed columns, both of full tiles.
     *
     * @param firstRow of {@code rows}, at the beginning of a tile
     * @param products takes {@code [rowCount, columnCount]} elements
     */
    void multiply(
            float[] rows, int firstRow, int rowCount, float[] columns, int columnCount, int places, float[] products);

    /** The first of some values that is not greater than a limit, or is NaN; {@code end} where all are greater. */
    int firstUpTo(float[] values, int from, int end, double limit);
}
