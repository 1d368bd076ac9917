package io.github.broadloom.plan;

import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses how each operand of a stage comes to the tasks, and says why.
 *
 * @param domain what the stage goes over
 * @param cutDims the dimensions along which that is cut
 * @param grid what each task goes over
 */
record Routes(Settings settings, Stage.Kind kind, Shape domain, int[] cutDims, ChunkGrid grid) {

    Operand operand(Found found) {
        Transport transport = transport(found);
        boolean wholeChunks = transport == Transport.PARENT && Overlaps.areWholeChunks(found, grid);
        Strategy strategy = strategy(found, transport, wholeChunks);
        String reason = reason(found, strategy, transport);
        long shuffled = transport == Transport.SHUFFLE ? shuffledBytes(found) : 0;
        int slot = (Integer) found.slot().source();
        return new Operand(slot, found.source(), found.access(), strategy, transport, shuffled, wholeChunks, reason);
    }

    private long shuffledBytes(Found found) {
        return found.access() instanceof LookupAccess lookup
                ? Sizes.sum(Sizes.bytes(found.source().dtype(), lookup.most(domain)), lookup.askedBytes(domain))
                : Overlaps.neededBytes(found, grid);
    }

    /** The dimensions along which there are tasks: a stream goes along the other one. */
    private int[] taskDims() {
        return kind == Stage.Kind.STREAM ? new int[] {cutDims[0]} : cutDims;
    }

    private Strategy strategy(Found found, Transport transport, boolean wholeChunks) {
        if (!found.isCut(cutDims)) {
            return Strategy.REPLICATE;
        }
        if (transport == Transport.SHUFFLE) {
            return Strategy.SHUFFLE;
        }
        if (!Arrays.stream(taskDims()).allMatch(found.access()::follows)) {
            return Strategy.GRID;
        }
        return transport == Transport.PARENT && !wholeChunks ? Strategy.RESLICE : Strategy.ALIGN;
    }

    private Transport transport(Found found) {
        if (kind == Stage.Kind.DRIVER) {
            return Transport.NONE;
        }
        if (!found.isCut(cutDims)) {
            return Transport.BROADCAST;
        }
        if (found.access() instanceof LookupAccess) {
            return Transport.SHUFFLE;
        }
        Source source = found.source();
        return switch (source.residence()) {
            case FILE -> Overlaps.ofBlocks(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.FILE;
            case CLUSTER -> Overlaps.ofChunks(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.PARENT;
            case DRIVER, RESULT ->
                source.sizeBytes() > settings.chunkBytes() && grid.chunks() > 1
                        ? Transport.CHUNK_BROADCAST
                        : Transport.BROADCAST;
        };
    }

    private String reason(Found operand, Strategy strategy, Transport transport) {
        return switch (strategy) {
            case REPLICATE -> whole(operand);
            case ALIGN -> follows(operand) + ", " + carried(operand.source(), transport);
            case RESLICE ->
                follows(operand) + ", cut differently (" + operand.source().grid()
                        + "), each task takes the overlapping chunks";
            case GRID ->
                (kind == Stage.Kind.STREAM ? "each task goes along it in steps" : follows(operand))
                        + ", and each block is read " + (repeats(operand) == 1 ? "once" : repeats(operand) + " times");
            case SHUFFLE ->
                operand.access() instanceof LookupAccess
                        ? "each task asks " + (operand.source().grid() == null ? "those who read it" : parts(operand))
                                + " for what its indices name, and is sent that by Spark's shuffle"
                        : "each task needs a part of " + parts(operand)
                                + ", so the pieces are brought together by Spark's shuffle";
        };
    }

    private String follows(Found operand) {
        int dim = followed(operand);
        if (operand.access() instanceof SpanAccess spanned && spanned.along(dim) != null) {
            String indices = dim == 0 ? "rows" : "indices of dimension " + dim;
            return spanned.isOfSegments(dim)
                    ? "its segments are the result's " + indices
                    : "the result's " + indices + " name it in its order";
        }
        long size = domain.size(dim);
        String named = dim == 0 ? "leading size " + size : "size " + size + " of dimension " + dim;
        return size == 1 ? "its one row is the result's" : named + " is the result's";
    }

    private int followed(Found operand) {
        for (int dim : cutDims) {
            if (operand.access().follows(dim)) {
                return dim;
            }
        }
        throw new IllegalStateException("Not cut: " + operand);
    }

    private String carried(Source source, Transport transport) {
        return switch (transport) {
            case FILE -> source.fetching();
            case PARENT, SHUFFLE -> "same cuts";
            case BROADCAST -> "small, so it travels whole and each task slices its rows";
            case CHUNK_BROADCAST -> "each task fetches its rows from the driver";
            case NONE -> "on the driver";
        };
    }

    private long repeats(Found operand) {
        long repeats = 1;
        for (int dim : taskDims()) {
            repeats *= operand.access().follows(dim) ? 1 : grid.along(dim).chunks();
        }
        return repeats;
    }

    private String parts(Found operand) {
        ChunkGrid own = operand.source().grid();
        return own == null ? "every row" : Figures.count(own.chunks(), "chunk");
    }

    private String whole(Found operand) {
        Shape shape = operand.slot().shape();
        int rank = domain.rank();
        int row = cutDims.length == 0 ? 0 : cutDims[0];
        String why;
        if (shape.rank() == 0) {
            why = "a scalar";
        } else if (shape.rank() < operand.above().rank()) {
            why = "rank " + shape.rank() + " below " + operand.above().rank();
        } else if (shape.size(0) == 1 && row == 0 && Sizes.rows(domain) != 1) {
            why = "leading size 1 against " + Sizes.rows(domain);
        } else if (shape.rank() < rank) {
            why = "rank " + shape.rank() + " below " + rank;
        } else {
            why = "part of an operand that every row needs";
        }
        return why + (kind == Stage.Kind.DRIVER ? ", on the driver" : ", so every task needs " + needed(operand));
    }

    /** How much of an operand that is not cut a stage needs: of a part, such as one tensor of a stack, no more. */
    private String needed(Found operand) {
        long bytes = operand.wholeBytes(domain);
        return bytes < operand.source().sizeBytes() ? "the same " + Figures.bytes(bytes) + " of it" : "all of it";
    }

    /** How much more than it needs each task of a stage would read of an operand that it follows, by all tasks together. */
    private record Overlaps(double readBytes, double neededBytes, long sourceBytes) {
        /** A shuffle writes and reads everything once, in many small pieces. */
        private static final int WASTE = 4;

        /** Of the chunks that lie on the cluster: each is read whole. */
        static Overlaps ofChunks(Found operand, ChunkGrid grid) {
            ChunkGrid own = operand.source().grid();
            if (own == null) {
                return of(operand, grid, 0);
            }
            double chunkBytes = (double) operand.source().sizeBytes() / own.chunks();
            List<Integer> some = own.overlapping(operand.access().box(middle(grid)));
            return of(operand, grid, some.size() * chunkBytes);
        }

        static Overlaps ofBlocks(Found operand, ChunkGrid grid) {
            return of(operand, grid, operand.source().costBytes(operand.access().box(middle(grid))));
        }

        private static Overlaps of(Found operand, ChunkGrid grid, double readByOne) {
            Shape needed = operand.access().box(middle(grid)).shape();
            double neededByOne = Sizes.bytes(operand.source().dtype(), needed);
            return new Overlaps(
                    readByOne * grid.chunks(),
                    neededByOne * grid.chunks(),
                    operand.source().sizeBytes());
        }

        static long neededBytes(Found operand, ChunkGrid grid) {
            return (long) ofChunks(operand, grid).neededBytes;
        }

        private static Box middle(ChunkGrid grid) {
            return grid.box(grid.chunks() / 2);
        }

        /** Whether a shuffle costs less: where what is needed is needed about once. */
        boolean isWasteful() {
            return readBytes > WASTE * (double) sourceBytes && readBytes > WASTE * neededBytes;
        }

        /** Whether each chunk of the stage needs just one chunk of the operand, all of it, or none. */
        static boolean areWholeChunks(Found operand, ChunkGrid grid) {
            ChunkGrid own = operand.source().grid();
            if (own == null) {
                return false;
            }
            boolean[] followed = new boolean[own.shape().rank()];
            Box all = Box.whole(grid.shape());
            for (int dim = 0; dim < grid.cutDims(); dim++) {
                RowGrid along = grid.along(dim);
                for (int i = 0; i < along.chunks(); i++) {
                    Box needed = operand.access().box(all.with(dim, along.start(i), along.end(i)));
                    for (int d = 0; d < followed.length; d++) {
                        boolean part = needed.size(d) < own.shape().size(d);
                        if (part && !needed.isEmpty() && !own.along(d).hasChunk(needed.start(d), needed.end(d))) {
                            return false;
                        }
                        followed[d] |= part;
                    }
                }
            }
            return IntStream.range(0, followed.length).allMatch(d -> followed[d] || !own.cuts(d));
        }
    }
}
