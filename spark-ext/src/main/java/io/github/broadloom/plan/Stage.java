package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.Selection;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * One pass over the rows.
 *
 * @param outputs expressions over the operands' slots, with the whole tensors' shapes
 * @param grid the cuts of what the stage goes over
 * @param tasks what each task goes over: a chunk of the grid, or several of them, one after the other
 * @param text the outputs as the user would write them
 */
public record Stage(
        Kind kind, List<Expr> outputs, List<Operand> operands, ChunkGrid grid, ChunkGrid tasks, String text) {
    public enum Kind {
        /** The chunks of its outputs, which have one shape, or equally many rows. */
        CHUNKS,
        /** The chunks of its outputs, reductions along one dimension that is cut: each task goes along it step by step, and no task holds all of it. */
        STREAM,
        /** Reductions over the leading dimension, of all of it or of groups, or the first values in order along it, folded from the tasks' partial results: in the end on the driver. */
        FOLD,
        /** Order statistics of lines through all rows, found by counting in several passes: in the end on the driver. */
        SELECT,
        /** The chunks of its one output, a scan along the rows: each goes on from what the rows before it leave. */
        SCAN,
        /** The chunks of its one output, one line in order: split by samples into ranges, each of which a task puts in order. */
        SORT,
        /** The chunks of its one output, the rows that a mask picks: counted when they are there, and cut anew. */
        FILTER,
        /** The chunks of its one output, a gather: each asks those of the operand, its last one, for what its indices name. */
        GATHER,
        /** Its one output, which one task with all the rows computes and brings to the driver. */
        WHOLE,
        /** Its outputs on the driver, which computes them itself: no job. */
        DRIVER;

        public boolean leavesChunks() {
            return this == STREAM || this == SCAN || leavesChunksAlone();
        }

        /** Whether these are as good as chunks that a kernel computes: no other stage has to pass them on. */
        boolean leavesChunksAlone() {
            return this == CHUNKS || this == SORT || this == FILTER || this == GATHER;
        }

        public boolean bringsToDriver() {
            return this == FOLD || this == SELECT || this == WHOLE;
        }

        private boolean isOfLines() {
            return this == SCAN || this == SORT || this == WHOLE;
        }
    }

    public Stage {
        outputs = List.copyOf(outputs);
        operands = List.copyOf(operands);
    }

    Stage called(String otherText) {
        return new Stage(kind, outputs, operands, grid, tasks, otherText);
    }

    public int streamDim() {
        return reduce().dims()[0];
    }

    private Reduce reduce() {
        return (Reduce) outputs.get(0);
    }

    /** The same whose tasks go along these rows, chunk by chunk. */
    Stage goingAlong(RowGrid rows) {
        RowGrid steps = grid.along(0).with(rows);
        Shape shape = grid.shape();
        return new Stage(kind, outputs, operands, ChunkGrid.of(shape, steps), ChunkGrid.of(shape, rows), text);
    }

    /** The same with other tasks, each of which goes along chunks of the grid. */
    Stage withTasks(ChunkGrid otherTasks) {
        return new Stage(kind, outputs, operands, grid, otherTasks, text);
    }

    /** Whether tasks go over several chunks of the grid, one after the other. */
    public boolean isInSteps() {
        return tasks.chunks() < grid.chunks();
    }

    private boolean foldsGroups() {
        return kind == Kind.FOLD && outputs.get(0) instanceof Grouped;
    }

    /** Whether it folds chunk after chunk in each task, as groups are folded however many chunks a task has. */
    public boolean foldsInSteps() {
        return kind == Kind.FOLD && isInSteps() || foldsGroups();
    }

    /** The cuts of its first output; those of others are as many, and cut the same indices. */
    public ChunkGrid resultGrid() {
        return resultGrid(0);
    }

    public ChunkGrid resultGrid(int output) {
        Shape shape = outputs.get(output).shape();
        if (kind == Kind.STREAM) {
            return grid.reduced(streamDim(), shape);
        }
        if (kind == Kind.FILTER) {
            return ChunkGrid.of(shape, filteredRows((Filter) outputs.get(0)));
        }
        boolean ofRows = outputs.size() > 1 && !shape.equals(grid.shape());
        return ofRows ? ChunkGrid.of(shape, grid.along(0)) : grid;
    }

    /** Chunks of as many rows as the others have, or somewhat fewer. */
    private RowGrid filteredRows(Filter filter) {
        long left = filter.shape().size(0);
        double part = (double) left / Math.max(1, grid.shape().size(0));
        return RowGrid.ofChunks(left, Math.max(1, (int) Math.ceil(part * grid.chunks())));
    }

    /** Whether the chunks are an operand's as they are, so that no kernel runs. */
    public boolean copies() {
        return outputs.stream().allMatch(Input.class::isInstance);
    }

    public int kernels() {
        if (kind == Kind.GATHER) {
            return indices().kernels();
        }
        if (kind == Kind.FILTER) {
            return (int) outputs.get(0).children().stream()
                    .filter(child -> !(child instanceof Input))
                    .count();
        }
        boolean isOfLines = kind.isOfLines() || outputs.get(0) instanceof Along || foldsGroups();
        if (isOfLines) { // the function of the lines is none; what the lines are of may be one
            return argument() instanceof Input ? 0 : 1;
        }
        return copies() ? 0 : outputs.size();
    }

    /** How often its operands are read: a scan of several chunks first asks each what it adds, a sort asks for samples, and order statistics are narrowed down. */
    public int passes() {
        return switch (kind) {
            case SELECT -> Selection.passes(argument().dtype());
            case SCAN -> grid.chunks() > 1 ? 2 : 1;
            case SORT -> 2;
            default -> 1;
        };
    }

    /** Jobs besides the one for its result: for each pass but the last, and to count what is cut anew, which puts ranges in order, too. */
    int jobsBefore() {
        return passes() - 1 + (isCounted() ? 1 : 0);
    }

    private boolean isCounted() {
        return kind == Kind.SORT || kind == Kind.FILTER;
    }

    /** Tasks besides those for its result, but for operands. */
    long tasksBefore() {
        long chunks = grid.chunks();
        return switch (kind) {
            case SCAN -> (passes() - 1) * (chunks - 1); // nothing comes after the last chunk
            case GATHER -> chunks; // to ask
            case SORT -> 3 * chunks; // for samples, to send, and to put in order
            default -> (long) jobsBefore() * chunks;
        };
    }

    /** Tasks for its result. */
    int tasksOfResult() {
        return kind == Kind.FILTER ? resultGrid().chunks() : tasks().chunks();
    }

    /** Whether the chunks are those of an operand, which its own tasks compute. */
    boolean passesOn() {
        return kind == Kind.CHUNKS
                && copies()
                && outputs.size() == 1
                && operands.size() == 1
                && operands.get(0).transport() == Transport.PARENT
                && operands.get(0).strategy() == Strategy.ALIGN
                && operands.get(0).access().isPlain();
    }

    /** Of a gather, what its tasks ask by: the chunks of its indices. */
    public Stage indices() {
        Gather gather = (Gather) outputs.get(0);
        return new Stage(Kind.CHUNKS, gather.indices(), operands.subList(0, operands.size() - 1), grid, tasks, text);
    }

    /** Of a gather, what is asked. */
    public Operand gathered() {
        return operands.get(operands.size() - 1);
    }

    private Expr argument() {
        return outputs.get(0).children().get(0);
    }

    public long outputBytes() {
        return outputs.stream().mapToLong(e -> Sizes.bytes(e)).sum();
    }

    public long broadcastBytes() {
        return operands.stream().mapToLong(Operand::broadcastBytes).sum();
    }

    public long shuffleBytes() {
        return Sizes.sum(operands.stream().mapToLong(Operand::shuffleBytes).sum(), sortedBytes());
    }

    /** Of a sort, what is sent to the ranges. */
    private long sortedBytes() {
        if (kind != Kind.SORT) {
            return 0;
        }
        Along sort = (Along) outputs.get(0);
        long values = Sizes.bytes(sort.operand());
        return Sizes.sum(values, sort.op().kind().isIndices() ? outputBytes() : 0);
    }

    public int shuffles() {
        return (int) operands.stream()
                        .filter(o -> o.transport() == Transport.SHUFFLE)
                        .count()
                + (kind == Kind.GATHER || kind == Kind.SORT ? 1 : 0);
    }

    public long peakBytes() {
        return MemoryEstimate.of(this);
    }

    /** An estimate of what a task holds at its peak, those among them that write a shuffle for this stage. */
    long peakBytes(Settings settings) {
        long peak = peakBytes();
        for (Operand operand : operands) {
            peak = Math.max(peak, MemoryEstimate.writingBytes(this, operand, settings));
        }
        return kind == Kind.FOLD ? Math.max(peak, foldTree(settings).joiningBytes()) : peak;
    }

    public FoldTree foldTree(Settings settings) {
        return FoldTree.of(this, settings);
    }
}
