package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.Selection;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An estimate of what the largest task of a stage holds at its peak: never less than what it takes, and seldom much more. While the task gathers its operands, that is those
 * which it has and what the next one takes on the way; while it computes, all operands, what its kernels store on the way, and the result; and where the
 * result comes to the driver, that and its copy on the heap.
 */
final class MemoryEstimate {
    private final Stage stage;
    private final Shape chunk;

    /** Whether chunks of other stages may have to be made on the way. */
    private final boolean making;

    private MemoryEstimate(Stage stage, boolean making) {
        this.stage = stage;
        this.making = making;
        this.chunk = stage.grid().largest();
    }

    /** Of the stage's own tasks; those that write a shuffle for it hold {@link #writingBytes}. */
    static long of(Stage stage) {
        return new MemoryEstimate(stage, true).bytes();
    }

    /** As {@link #of}, where Spark keeps what earlier stages leave. */
    static long ofKept(Stage stage) {
        return new MemoryEstimate(stage, false).bytes();
    }

    /** What a task has of one of the operands while it computes. */
    static long held(Stage stage, Operand operand) {
        return new MemoryEstimate(stage, true).heldBytes(operand);
    }

    private long bytes() {
        return Math.max(stage.passesOn() ? passingBytes() : computingBytes(), collectedBytes());
    }

    private long makingBytes(Operand operand) {
        return making ? operand.source().taskBytes() : 0;
    }

    /** What a task holds that makes a chunk of a source, or cuts it into pieces that Spark's shuffle takes one by one. */
    static long writingBytes(Stage stage, Operand operand, Settings settings) {
        if (operand.transport() != Transport.SHUFFLE) {
            return 0;
        }
        Source source = operand.source();
        Shape cut = source.cuts(settings).largest();
        long reading = source.residence() == Source.Residence.FILE ? source.readingBytes(cut) : 0;
        long onTheWay = Math.max(reading, new MemoryEstimate(stage, true).pieceBytes(operand, cut));
        return Math.max(Sizes.sum(Sizes.bytes(source.dtype(), cut), onTheWay), source.taskBytes());
    }

    private long passingBytes() {
        Operand only = stage.operands().get(0);
        return Math.max(neededBytes(only), makingBytes(only));
    }

    private long computingBytes() {
        long held = 0;
        long gathering = 0;
        Set<Reading> read = new HashSet<>();
        for (Operand operand : stage.operands()) {
            boolean known = isReadInBlocks(operand) && !read.add(reading(operand));
            held = Sizes.sum(held, known ? copiedBytes(operand) : heldBytes(operand));
            gathering = Math.max(gathering, gatheringBytes(operand));
        }
        return Sizes.sum(held, Math.max(gathering, workingBytes()));
    }

    private long workingBytes() {
        List<Expr> inChunk = Graphs.mapInputs(stage.outputs(), this::inChunk);
        long[] working = {0};
        List<Expr> outputs = CommonParts.computed(stage.kind(), inChunk, part -> {
            working[0] = Sizes.sum(working[0], workingBytes(part));
            return Input.of(part, part.dtype(), part.shape());
        });
        outputs.forEach(output -> working[0] = Sizes.sum(working[0], workingBytes(output)));
        return working[0];
    }

    private long workingBytes(Expr inChunk) {
        return Sizes.sum(Workspace.below(inChunk, stage.kind() != Stage.Kind.STREAM), resultBytes(inChunk));
    }

    private record Reading(Source source, Box box) {}

    private static boolean isReadInBlocks(Operand operand) {
        return operand.transport() == Transport.PARENT || operand.transport() == Transport.FILE;
    }

    private Reading reading(Operand operand) {
        return new Reading(operand.source(), operand.access().box(stage.grid().largestBox()));
    }

    private Input inChunk(Input input) {
        Operand operand = stage.operands().get((Integer) input.source());
        return Input.of(
                input.source(),
                input.dtype(),
                operand.access().shape(stage.grid().largestBox()));
    }

    /** The result, and then its copy on the heap, as the driver gets it, or what all steps leave: the operands are let go before. */
    private long collectedBytes() {
        if (stage.foldsInSteps()) {
            int nodes = FoldTree.leaves(stage).mostNodes();
            return stage.outputs().stream()
                    .mapToLong(output -> Workspace.sent(FoldTree.nodeBytes(output), nodes))
                    .reduce(0, Sizes::sum);
        }
        boolean chunks = stage.kind().leavesChunks() || stage.kind() == Stage.Kind.WHOLE;
        return chunks ? Sizes.saturated(2, storedBytes()) : 0;
    }

    private long storedBytes() {
        long stored = 0;
        for (int i = 0; i < stage.outputs().size(); i++) {
            Expr output = stage.outputs().get(i);
            Shape largest = stage.kind() == Stage.Kind.WHOLE
                    ? output.shape()
                    : stage.resultGrid(i).largest();
            stored = Sizes.sum(stored, Sizes.bytes(output.dtype(), largest));
        }
        return stored;
    }

    private long heldBytes(Operand operand) {
        return Sizes.sum(neededBytes(operand), copiedBytes(operand));
    }

    private long copiedBytes(Operand operand) {
        return !operand.isCommon() && operand.access().copies() ? blockBytes(operand) : 0;
    }

    private long neededBytes(Operand operand) {
        Source source = operand.source();
        return switch (operand.transport()) {
            case BROADCAST -> operand.wholeBytes();
            case CHUNK_BROADCAST ->
                Sizes.bytes(source.dtype(), operand.access().most(stage.tasks().largest()));
            case FILE ->
                Sizes.bytes(source.dtype(), source.held(operand.access().most(chunk)));
            case PARENT ->
                operand.wholeChunks() && stage.kind() != Stage.Kind.STREAM // else perhaps a view of a whole chunk
                        ? blockBytes(operand)
                        : Math.max(blockBytes(operand), sourceChunkBytes(operand));
            case SHUFFLE, NONE -> blockBytes(operand);
        };
    }

    private long blockBytes(Operand operand) {
        return Sizes.bytes(operand.source().dtype(), operand.access().most(chunk));
    }

    private static long sourceChunkBytes(Operand operand) {
        ChunkGrid grid = operand.source().grid();
        return grid == null ? 0 : Sizes.bytes(operand.source().dtype(), grid.largest());
    }

    /** What it takes to come by an operand, beside what the task has of it then. */
    private long gatheringBytes(Operand operand) {
        return switch (operand.transport()) {
            case PARENT ->
                operand.wholeChunks()
                        ? Math.max(0, makingBytes(operand) - blockBytes(operand))
                        : Math.max(sourceChunkBytes(operand), makingBytes(operand));
            case SHUFFLE -> {
                ChunkGrid grid = operand.source().grid();
                yield grid == null ? blockBytes(operand) : pieceBytes(operand, grid.largest());
            }
            case FILE -> // a record batch, of which the task takes some rows, or a range of a file
                Sizes.sum(
                        sourceChunkBytes(operand),
                        operand.source().readingBytes(operand.access().most(chunk)));
            case BROADCAST, CHUNK_BROADCAST, NONE -> 0;
        };
    }

    /** What a chunk of the source and a task's block have in common at most. */
    private long pieceBytes(Operand operand, Shape sourceChunk) {
        Shape block = operand.access().most(chunk);
        long[] sizes = sourceChunk.toArray();
        Arrays.setAll(sizes, d -> Math.min(sizes[d], block.size(d)));
        return Sizes.bytes(operand.source().dtype(), Shape.of(sizes));
    }

    private long resultBytes(Expr inChunk) {
        long stored = Sizes.bytes(inChunk);
        return switch (stage.kind()) {
            case CHUNKS, FILTER, WHOLE, DRIVER -> Sizes.sum(stored, Workspace.arrays(inChunk));
            case SCAN -> scannedBytes((Along) inChunk, stored);
            case STREAM -> Sizes.sum(streamedBytes((Reduce) inChunk), stored);
            case FOLD -> foldedBytes(inChunk);
            case SELECT -> countedBytes((Along) inChunk);
            case SORT -> sortedBytes((Along) inChunk);
            case GATHER -> askedBytes((Gather) inChunk); // what comes is the result
        };
    }

    /**
     * What a range takes, which is more than to split a chunk: its values joined, on the heap, with their keys and places, and in order; or where these are from instead, joined, twice on the heap, and
     * in order.
     */
    private static long sortedBytes(Along inChunk) {
        long values = Sizes.bytes(inChunk.operand());
        long rows = inChunk.op().kind().isIndices() ? Sizes.bytes(inChunk) : 0;
        long sorted = Workspace.counted(Sizes.saturated(inChunk.lineLength(), Along.SORTED_BYTES));
        long largest =
                Sizes.sum(Sizes.sum(sorted, values), rows == 0 ? Sizes.saturated(3, values) : Sizes.saturated(4, rows));
        return Sizes.sum(largest, largest / 8); // a range may be so much larger
    }

    /** What is asked for, in the order of the indices and in that of the chunks that are asked. */
    private static long askedBytes(Gather inChunk) {
        long elements = inChunk.isOfParts()
                ? inChunk.shape().size(inChunk.dim())
                : inChunk.shape().numel();
        long places = Workspace.counted(Sizes.saturated(elements, Integer.BYTES));
        long asked = Sizes.sum(LookupAccess.askedBytes(inChunk), places);
        return inChunk.isOfParts() ? asked : Sizes.saturated(2, asked); // as they come, too
    }

    private long foldedBytes(Expr inChunk) {
        if (inChunk instanceof Contraction product) {
            return summedBytes(product);
        }
        if (inChunk instanceof Grouped grouped) {
            return groupedBytes(grouped);
        }
        return inChunk instanceof Along ranked ? foundBytes(ranked) : foldedBytes((Reduce) inChunk);
    }

    /** What is left of the blocks before in a task, and the one that is joined. */
    private long groupedBytes(Grouped inChunk) {
        RowGrid leaves = FoldTree.leaves(stage);
        int before = leaves.mostNodesBefore(RowGrid.ofRows(leaves.rows(), 1));
        return Sizes.saturated(Workspace.counted(FoldTree.nodeBytes(inChunk)), before + 1);
    }

    /** A line at a time, and what is counted of it. */
    private static long countedBytes(Along inChunk) {
        long line = Workspace.counted(
                Sizes.saturated(inChunk.lineLength(), inChunk.operand().dtype().bytes()));
        return Sizes.sum(line, Workspace.counted(Selection.countBytes(2)));
    }

    /** A line at a time, and what is found of all. */
    private static long foundBytes(Along inChunk) {
        return Sizes.sum(
                Workspace.arrays(inChunk),
                Workspace.sent(FoldTree.nodeBytes(inChunk), 2)); // in an array that has grown
    }

    private long foldedBytes(Reduce inChunk) {
        long vector = Workspace.vectorBytes(inChunk);
        int nodes = stage.grid().along(0).mostNodes();
        if (!stage.isInSteps()) {
            return Math.max(Workspace.arrays(inChunk), Workspace.sent(vector, nodes));
        }
        long node = Workspace.counted(vector);
        long before = Sizes.saturated(
                node, stage.tasks().along(0).mostNodesBefore(stage.grid().along(0)));
        return Sizes.sum(Math.max(Workspace.arrays(inChunk), Sizes.saturated(node, nodes)), before);
    }

    /** The factors where they are put in order or widened, the sums of a node as they are computed, and what is left of all nodes. */
    private long summedBytes(Contraction product) {
        DType sumType = product.dtype().widened();
        long factors = 0;
        for (Expr factor : product.children()) {
            long ordered = product.dims().length > 1 ? Sizes.bytes(factor) : 0;
            long widened = sumType == product.dtype() ? 0 : Sizes.bytes(sumType, factor.shape());
            factors = Sizes.sum(factors, Sizes.sum(ordered, widened));
        }
        long sums = Sizes.bytes(sumType, product.shape());
        RowGrid rows = stage.grid().along(0);
        long panels = rows.panels(product.contractedCount() / Math.max(1, chunk.size(0)))
                .mostNodes();
        return Math.max(Sizes.sum(factors, sums), Workspace.sent(sums, panels));
    }

    /** The vectors of one step, and the nodes of the steps before. */
    private long streamedBytes(Reduce inChunk) {
        long vector = Workspace.counted(Sizes.saturated(
                stage.resultGrid().largest().numel(),
                (long) Long.BYTES * inChunk.reduction().join().components()));
        RowGrid steps = stage.grid().along(stage.streamDim());
        return Sizes.saturated(vector, Workspace.vectors(steps.mostRows()) + Workspace.levels(steps.chunks()));
    }

    /** In the first of two passes as a fold; in the second what the rows before leave, and the result. */
    private long scannedBytes(Along inChunk, long stored) {
        if (stage.passes() == 1) {
            return stored;
        }
        long vector = Sizes.saturated(
                inChunk.shape().inner().numel(),
                (long) Long.BYTES * inChunk.op().join().components());
        RowGrid rows = stage.grid().along(0);
        long folded = Sizes.saturated(Workspace.counted(vector), Workspace.vectors(rows.mostRows()));
        long before = Sizes.saturated(Workspace.counted(vector), 1 + Workspace.levels(rows.mostRows()));
        return Math.max(Math.max(folded, Workspace.sent(vector, rows.mostNodes())), Sizes.sum(stored, before));
    }
}
