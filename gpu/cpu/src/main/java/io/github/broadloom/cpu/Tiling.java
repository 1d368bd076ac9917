package io.github.broadloom.cpu;

import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts the iterations of a loop nest into tiles that are boxes. Every operand's tile has the same form everywhere but at
 * the ends of loops, an operand that repeats has the same address again, and no tile crosses the end of a row. Tiles
 * are numbered in the order in which they are visited: row-major, but along a transposed operand's lines first.
 */
final class Tiling {
    /** With fewer columns a loop over them costs more than to store what a row repeats for each. */
    private static final int FEWEST_COLUMNS = 64;

    private final LoopNest nest;
    private final int[] extents;
    private final int[] order;
    private final long tiles;
    private final int columnLoop;
    private final List<Access> accesses;
    private final int[] ragged;
    private final int rowLoop;

    enum Cut {
        /** In pieces of about equal length. */
        EVEN,
        /**
         * In pieces of a power of two as long as they last, for the aligned blocks of a fold; tile after tile, the
         * elements come in row-major order.
         */
        ALIGNED,
        /**
         * As {@link #ALIGNED}, of a few rows, which are the loop in which the last operand stands still, and of a piece of their columns, which are the loops in them; all rows of that piece come
         * one after the other, then those of the next.
         */
        STRIPES
    }

    /**
     * How large a tile is: its iterations in each loop of the nest. Its elements lie row-major and without gaps; a kernel
     * sees the loops from the column loop on as one, its columns, and those before it as its rows.
     *
     * @param number of this form among a tiling's
     */
    record Form(int number, int[] extents, int rows, int columns) {
        static Form of(int number, int[] extents, int columnLoop) {
            return new Form(
                    number, extents, elements(extents, 0, columnLoop), elements(extents, columnLoop, extents.length));
        }

        private static int elements(int[] extents, int firstLoop, int endLoop) {
            int elements = 1;
            for (int loop = firstLoop; loop < endLoop; loop++) {
                elements *= extents[loop];
            }
            return elements;
        }

        /** The iterations of neighbouring loops together. */
        int elements(int firstLoop, int endLoop) {
            return elements(extents, firstLoop, endLoop);
        }

        int count() {
            return rows * columns;
        }
    }

    Tiling(LoopNest nest, int widestBytes, Cut cut) {
        this.nest = nest;
        TileExtents box = TileExtents.of(nest, widestBytes, cut);
        this.extents = box.extents();
        this.rowLoop = box.rowLoop();
        this.order = IntStream.concat(
                        cutLoops().filter(loop -> !box.lineLoops().contains(loop)),
                        cutLoops().filter(box.lineLoops()::contains))
                .toArray();
        this.tiles = cutLoops().mapToLong(this::pieces).reduce(1, (a, b) -> a * b);
        this.ragged =
                cutLoops().filter(loop -> nest.size(loop) % extents[loop] != 0).toArray();
        this.columnLoop = chooseColumnLoop();
        this.accesses = IntStream.range(0, nest.operands())
                .mapToObj(operand ->
                        repeatsFrom(operand) <= columnLoop && columnLoop < nest.rank() ? Access.ROW : Access.VARYING)
                .toList();
    }

    private IntStream cutLoops() {
        return IntStream.range(0, nest.rank()).filter(loop -> pieces(loop) > 1);
    }

    /** The loop from which on an operand keeps to one element within a tile; the rank, if there is none. */
    private int repeatsFrom(int operand) {
        int loop = nest.rank();
        while (loop > 0 && (nest.stride(operand, loop - 1) == 0 || extents[loop - 1] == 1)) {
            loop--;
        }
        return loop;
    }

    private int chooseColumnLoop() {
        Form whole = Form.of(0, extents, 0);
        int chosen = -1;
        for (int operand = 0; operand < nest.operands(); operand++) {
            int loop = repeatsFrom(operand);
            if (loop > chosen && whole.elements(loop, nest.rank()) >= FEWEST_COLUMNS) {
                chosen = loop;
            }
        }
        return Math.max(0, chosen);
    }

    Form whole() {
        return Form.of(0, extents, columnLoop);
    }

    long tiles() {
        return tiles;
    }

    /** The loop over the rows of stripes; -1 where there are none. */
    int rowLoop() {
        return rowLoop;
    }

    /** How an operand varies within a tile: {@link Access#ROW} or {@link Access#VARYING}. */
    Access access(int operand) {
        return accesses.get(operand);
    }

    /** The first loop of the columns; those before it are the rows. */
    int columnLoop() {
        return columnLoop;
    }

    /** The loops that are cut, the one that takes the most tiles to go on first. */
    int[] order() {
        return order.clone();
    }

    long pieces(int loop) {
        return (nest.size(loop) + extents[loop] - 1) / extents[loop];
    }

    int extent(int loop) {
        return extents[loop];
    }

    /** The forms of the tiles: bit {@code i} of a form's number says that the loop {@code ragged()[i]} ends in it, short. */
    List<Form> forms() {
        List<Form> forms = new ArrayList<>();
        for (int number = 0; number < 1 << ragged.length; number++) {
            int[] sizes = extents.clone();
            for (int i = 0; i < ragged.length; i++) {
                if ((number >> i & 1) != 0) {
                    sizes[ragged[i]] = (int) (nest.size(ragged[i]) % extents[ragged[i]]);
                }
            }
            forms.add(Form.of(number, sizes, columnLoop));
        }
        return forms;
    }

    int[] ragged() {
        return ragged.clone();
    }
}
