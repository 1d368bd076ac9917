package io.github.broadloom.cpu;

/**
 * How large a tile is: its iterations in each loop of the nest. Its elements lie row-major and without gaps; a kernel
 * sees the loops from the column loop on as one, its columns, and those before it as its rows.
 */
final class TileForm {
    private final int number;
    private final int[] extents;
    private final int rows;
    private final int columns;

    /** @param number of this form among a tiling's */
    TileForm(int number, int[] extents, int columnLoop) {
        this.number = number;
        this.extents = extents.clone();
        this.rows = elements(0, columnLoop);
        this.columns = elements(columnLoop, extents.length);
    }

    int number() {
        return number;
    }

    /** The iterations of a loop within a tile. */
    int extent(int loop) {
        return extents[loop];
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** How many elements a tile has. */
    int count() {
        return rows * columns;
    }

    /** The iterations of neighbouring loops together. */
    int elements(int firstLoop, int endLoop) {
        int elements = 1;
        for (int loop = firstLoop; loop < endLoop; loop++) {
            elements *= extents[loop];
        }
        return elements;
    }
}
