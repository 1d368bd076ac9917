package io.github.broadloom.plan;

import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;

/** Says why an operand comes to the tasks of a stage as it does. */
final class Reasons {
    private final Shape domain;
    private final int[] cutDims;
    private final int[] taskDims;
    private final Stage.Kind kind;
    private final ChunkGrid grid;

    Reasons(Shape domain, int[] cutDims, int[] taskDims, Stage.Kind kind, ChunkGrid grid) {
        this.domain = domain;
        this.cutDims = cutDims;
        this.taskDims = taskDims;
        this.kind = kind;
        this.grid = grid;
    }

    String of(Found operand, Strategy strategy, Transport transport) {
        return switch (strategy) {
            case REPLICATE -> whole(operand);
            case ALIGN -> follows(operand) + ", " + carried(transport);
            case RESLICE ->
                follows(operand) + ", cut differently (" + operand.source().grid()
                        + "), each task takes the overlapping chunks";
            case GRID ->
                (kind == Stage.Kind.STREAM ? "each task goes along it in steps" : follows(operand))
                        + ", and each block is read " + times(repeats(operand));
            case SHUFFLE ->
                "each task needs a part of " + parts(operand)
                        + ", so the pieces are brought together by Spark's shuffle";
        };
    }

    private String follows(Found operand) {
        int dim = followed(operand);
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

    private String carried(Transport transport) {
        return switch (transport) {
            case FILE -> "each task reads its byte range";
            case PARENT, SHUFFLE -> "same cuts";
            case BROADCAST -> "small, so it travels whole and each task slices its rows";
            case CHUNK_BROADCAST -> "each task fetches its rows from the driver";
            case NONE -> "on the driver";
        };
    }

    private static String times(long repeats) {
        return repeats == 1 ? "once" : repeats + " times";
    }

    private long repeats(Found operand) {
        long repeats = 1;
        for (int dim : taskDims) {
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
}
