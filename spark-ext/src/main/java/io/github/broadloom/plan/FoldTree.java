package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How the partial results of a fold come together. Each is some nodes of the pairwise tree over the rows, or over panels of products; siblings may be joined anywhere, so that tasks
 * can join those of neighbouring chunks, and those of neighbouring groups again, until few enough are left for the driver. All that is one job: a level is a stage of it.
 *
 * @param nodeBytes of a node, of all outputs together
 * @param fanIn how many neighbours a task joins
 * @param levels what each partial result covers: the chunks first, the groups whose partial results come to the driver last
 */
public record FoldTree(long nodeBytes, int fanIn, List<RowGrid> levels) {
    /** The driver takes about a millisecond for what comes of a task, however little that is. */
    private static final int MOST_PARTIALS = 1024;

    /** What Spark adds to what comes of a task. */
    private static final long RESULT_BYTES = 4096;

    /** What a task gets to join, which come in any order: about as much as a task that computes a chunk holds. */
    private static final long JOINED_BYTES = 32L << 20;

    /** Of large ones, too: every level is written and read. */
    private static final int FEWEST_JOINED = 8;

    /** What is joined is a part of what a task holds. */
    private static final int ROOM = 4;

    /** Spark's driver keeps a byte for each pair of a task that writes a shuffle and one that reads it. */
    private static final int MOST_JOINED = 4096;

    static FoldTree of(Stage stage, Settings settings) {
        RowGrid leaves = leaves(stage);
        long nodeBytes = nodeBytes(stage);
        long bytesEach = Math.max(1, Sizes.saturated(nodeBytes, leaves.mostNodes()));
        long wanted = Math.max(FEWEST_JOINED, Math.min(MOST_JOINED, JOINED_BYTES / bytesEach));
        long fitting = Math.max(2, Math.min(wanted, settings.taskBytes() / ROOM / bytesEach));
        FoldTree tree = new FoldTree(nodeBytes, (int) Long.highestOneBit(fitting), List.of(leaves));
        while (tree.driver().chunks() > 1 && !tree.fits(settings.driverBytes())) {
            tree = tree.joined();
        }
        return tree;
    }

    /**
     * The stage, of which a task goes along several chunks of rows of files where what is left of each would be much beside what is read; as long as a task has room for what is left
     * of all of its chunks. Of groups a task goes along whole blocks.
     */
    static Stage inSteps(Stage stage, Settings settings) {
        RowGrid rows = stage.grid().along(0);
        OptionalLong block = block(stage);
        RowGrid least = block.isPresent() ? RowGrid.ofRows(rows.rows(), block.getAsLong()) : rows;
        if (block.isEmpty() && rows.chunks() <= settings.slots() || !isOfFiles(stage)) {
            return stage;
        }
        double most = readBytes(stage) / PassChoice.TINY_PART;
        Stage inSteps = stage.goingAlong(least);
        for (long perSlot = StageCuts.TASKS_PER_SLOT; perSlot > 0 && sentBytes(inSteps) > most; perSlot--) {
            inSteps = stage.goingAlong(least.joined((int) Math.min(least.chunks(), perSlot * settings.slots())));
        }
        return inSteps.peakBytes(settings) <= settings.taskBytes() ? inSteps : stage;
    }

    /** The rows of a block, of groups. */
    private static OptionalLong block(Stage stage) {
        return stage.outputs().stream()
                .filter(Grouped.class::isInstance)
                .mapToLong(output -> ((Grouped) output).function().block())
                .findFirst();
    }

    /** Whether tasks read what they fold, so that they can read it in any steps. */
    private static boolean isOfFiles(Stage stage) {
        Set<Transport> transports = EnumSet.noneOf(Transport.class);
        stage.operands().forEach(operand -> transports.add(operand.transport()));
        return transports.remove(Transport.FILE)
                && EnumSet.of(Transport.BROADCAST).containsAll(transports)
                && stage.outputs().stream().allMatch(output -> output instanceof Reduce || output instanceof Grouped);
    }

    /** Whether tasks fold groups of whole blocks, and what they send, and read twice, is no more than half of what there is to read, which a shuffle would send. */
    static boolean isOfBlocks(Stage stage) {
        OptionalLong block = block(stage);
        RowGrid tasks = stage.tasks().along(0);
        return block.isPresent()
                && isOfFiles(stage)
                && IntStream.range(0, tasks.chunks()).allMatch(i -> tasks.start(i) % block.getAsLong() == 0)
                && sentBytes(stage) + TrafficCount.fileBytes(stage) <= 1.5 * readBytes(stage);
    }

    private static double readBytes(Stage stage) {
        Box all = Box.whole(stage.grid().shape());
        return stage.operands().stream()
                .filter(operand -> operand.transport() == Transport.FILE)
                .mapToDouble(
                        operand -> operand.source().costBytes(operand.access().box(all)))
                .sum();
    }

    private static double sentBytes(Stage stage) {
        RowGrid leaves = leaves(stage);
        return (double) nodeBytes(stage) * leaves.nodesOfFirst(leaves.chunks());
    }

    private static long nodeBytes(Stage stage) {
        return stage.outputs().stream().mapToLong(FoldTree::nodeBytes).reduce(0, Sizes::sum);
    }

    /** What the tasks cover, in what the tree stands over. */
    static RowGrid leaves(Stage stage) {
        RowGrid rows = stage.tasks().along(0);
        OptionalLong block = block(stage);
        if (block.isPresent()) {
            return rows.blocks(block.getAsLong());
        }
        return stage.outputs().get(0) instanceof Contraction product
                ? rows.panels(product.contractedCount() / Math.max(1, rows.rows()))
                : rows;
    }

    static long nodeBytes(Expr output) {
        if (output instanceof Along along) { // values beside their rows
            long values = Sizes.saturated(
                    along.op().ranks(along.lineLength()),
                    along.operand().shape().inner().numel());
            return Sizes.saturated(values, along.operand().dtype().bytes() + Long.BYTES);
        }
        if (output instanceof Grouped) {
            return Sizes.saturated(output.shape().numel(), Long.BYTES);
        }
        long elementBytes = output instanceof Contraction product
                ? product.dtype().widened().bytes()
                : (long) Long.BYTES * ((Reduce) output).reduction().join().components();
        return Sizes.saturated(output.shape().numel(), elementBytes);
    }

    private boolean fits(long driverBytes) {
        long partials = driver().chunks();
        return partials <= MOST_PARTIALS
                && Sizes.sum(bytes(driver()), Sizes.saturated(partials, RESULT_BYTES)) <= driverBytes;
    }

    private FoldTree joined() {
        List<RowGrid> higher = new ArrayList<>(levels);
        higher.add(driver().grouped(fanIn));
        return new FoldTree(nodeBytes, fanIn, higher);
    }

    /** What the partial results cover that come to the driver. */
    public RowGrid driver() {
        return levels.get(levels.size() - 1);
    }

    /** What the partial results cover that tasks join, level by level. */
    public List<RowGrid> groups() {
        return levels.subList(1, levels.size());
    }

    public long tasks() {
        return groups().stream().mapToLong(RowGrid::chunks).sum();
    }

    public long bytes(RowGrid level, int partial) {
        return Sizes.saturated(nodeBytes, level.nodes(partial));
    }

    private long bytes(RowGrid level) {
        return Sizes.saturated(nodeBytes, level.nodesOfFirst(level.chunks()));
    }

    public long driverBytes() {
        return bytes(driver());
    }

    public long shuffleBytes() {
        return levels.subList(0, levels.size() - 1).stream()
                .mapToLong(this::bytes)
                .reduce(0, Sizes::sum);
    }

    /** The most that a task holds that joins partial results: all of its group, and then what it makes of them. */
    long joiningBytes() {
        long most = 0;
        for (int level = 1; level < levels.size(); level++) {
            for (int group = 0; group < levels.get(level).chunks(); group++) {
                long left = Workspace.sent(nodeBytes, levels.get(level).nodes(group));
                most = Math.max(most, Math.max(groupBytes(levels.get(level - 1), group), left));
            }
        }
        return most;
    }

    /** The partial results of a group, and the largest of them once more, while its nodes are made of its bytes. */
    private long groupBytes(RowGrid members, int group) {
        long bytes = 0;
        long largest = 0;
        int end = (int) Math.min(members.chunks(), (group + 1L) * fanIn);
        for (int member = group * fanIn; member < end; member++) {
            bytes = Sizes.sum(bytes, Sizes.sum(bytes(members, member), Workspace.HEADER_BYTES));
            largest = Math.max(largest, bytes(members, member));
        }
        return Sizes.sum(bytes, largest);
    }
}
