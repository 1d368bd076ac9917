package io.github.broadloom.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The grids through which a tensor goes from one into another, where an exchange in one go would be of too many pieces: of {@code C} chunks of rows that become as many
 * of columns each has a piece for each, and {@code C²} small pieces cost more than their bytes. By way of blocks as long as wide they are {@code C·√C}, twice.
 *
 * <p>The intermediate grids lie between the two as the terms of a geometric sequence do, along every dimension, and have cuts of the finer one of the two, so that a chunk
 * is never larger than the larger of theirs. The plan is that of Rechunker and of Cubed, here with pieces counted in the place of files.
 */
final class Rechunk {
    /** More pieces are not exchanged in one stage: each costs Spark some bytes of an index and a few microseconds. */
    static final double MOST_PIECES = 1e7;

    /** With so many grids between, pieces of any two are few, or nothing helps. */
    private static final int MOST_GRIDS = 4;

    private Rechunk() {}

    /** The pieces of an exchange: pairs of chunks that have elements in common. */
    static double pieces(ChunkGrid from, ChunkGrid to) {
        double pieces = 1;
        for (int d = 0; d < from.shape().rank(); d++) {
            pieces *= common(from.along(d), to.along(d));
        }
        return pieces;
    }

    /** How many ranges are left where both are cut. */
    private static double common(RowGrid from, RowGrid to) {
        int common = 1;
        for (int i = 1, j = 1; i < from.chunks() || j < to.chunks(); common++) {
            long first = i < from.chunks() ? from.start(i) : Long.MAX_VALUE;
            long second = j < to.chunks() ? to.start(j) : Long.MAX_VALUE;
            i += first <= second ? 1 : 0;
            j += second <= first ? 1 : 0;
        }
        return common;
    }

    /**
     * The grids between two, in order; none where the exchange is of few enough pieces. As few as keep every exchange below the limit, or those with the fewest pieces.
     *
     * @param mostPieces of an exchange
     */
    static List<ChunkGrid> between(ChunkGrid from, ChunkGrid to, double mostPieces) {
        List<ChunkGrid> best = List.of();
        double fewest = pieces(from, to);
        for (int count = 1; fewest > mostPieces && count <= MOST_GRIDS; count++) {
            List<ChunkGrid> grids = sequence(from, to, count);
            double most = most(from, grids, to);
            if (most < fewest) {
                best = grids;
                fewest = most;
            }
        }
        return best;
    }

    private static double most(ChunkGrid from, List<ChunkGrid> grids, ChunkGrid to) {
        double most = 0;
        ChunkGrid before = from;
        for (ChunkGrid grid : grids) {
            most = Math.max(most, pieces(before, grid));
            before = grid;
        }
        return Math.max(most, pieces(before, to));
    }

    private static List<ChunkGrid> sequence(ChunkGrid from, ChunkGrid to, int count) {
        List<ChunkGrid> grids = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            RowGrid[] cuts = new RowGrid[from.shape().rank()];
            for (int d = 0; d < cuts.length; d++) {
                cuts[d] = between(from.along(d), to.along(d), (double) i / (count + 1));
            }
            grids.add(ChunkGrid.of(from.shape(), cuts));
        }
        return grids;
    }

    /** Some of the finer one's cuts: so many that their number lies that part of the way, geometrically. */
    private static RowGrid between(RowGrid from, RowGrid to, double part) {
        RowGrid finer = from.chunks() >= to.chunks() ? from : to;
        double wanted = Math.pow(from.chunks(), 1 - part) * Math.pow(to.chunks(), part);
        return finer.grouped(Math.max(1, (int) (finer.chunks() / wanted)));
    }
}
