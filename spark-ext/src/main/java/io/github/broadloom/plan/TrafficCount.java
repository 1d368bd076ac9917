package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.tensor.Box;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Adds up what the stages of a plan move, from the last one to the first: how often a stage is computed depends on those that read it. */
final class TrafficCount {
    private final Plan plan;
    private final int executors;
    private final double[] times;
    private final Map<Strategy, Double> moved = new EnumMap<>(Strategy.class);
    private final Map<Source, Double> least = new IdentityHashMap<>();
    private double partials;
    private double pieces;

    TrafficCount(Plan plan, int executors) {
        this.plan = plan;
        this.executors = executors;
        this.times = new double[plan.stages().size()];
    }

    Traffic traffic() {
        times[times.length - 1] = 1;
        for (int i = times.length - 1; i >= 0; i--) {
            Stage stage = plan.stages().get(i);
            if (stage.kind() != Stage.Kind.DRIVER) {
                add(stage, stage.kind().bringsToDriver() ? 1 : times[i]);
            }
        }
        boolean onDriver = plan.last().kind() == Stage.Kind.DRIVER;
        double result = onDriver ? 0 : plan.last().outputBytes();
        Map<Strategy, Long> bytes = new EnumMap<>(Strategy.class);
        moved.forEach((strategy, sum) -> bytes.put(strategy, rounded(sum)));
        double needed = least.values().stream().mapToDouble(Double::doubleValue).sum();
        return new Traffic(bytes, rounded(partials), rounded(result), rounded(needed + result), rounded(pieces));
    }

    private static long rounded(double bytes) {
        return (long) (bytes + 0.5); // at most the largest long
    }

    private void add(Stage stage, double computed) {
        double reads = computed + stage.passes() - 1;
        for (Operand operand : stage.operands()) {
            if (!(operand.source() instanceof StageOutput)) {
                Box all = operand.access().box(Box.whole(stage.grid().shape()));
                least.merge(operand.source(), bytes(operand, elements(all)), Math::max);
            }
            add(stage, operand, reads);
        }
        partials += partialBytes(stage);
    }

    private void add(Stage stage, Operand operand, double reads) {
        double bytes = switch (operand.transport()) {
            case BROADCAST -> {
                boolean gathered = operand.source().residence() == Source.Residence.CLUSTER;
                int copies = Math.min(executors, stage.tasks().chunks());
                yield (double) operand.broadcastBytes() * copies
                        + (gathered ? fromSource(operand, operand.replicatedBytes(), 1) : 0);
            }
            case CHUNK_BROADCAST -> reads * total(stage, operand, TrafficCount::elements);
            case FILE -> reads * count(stage, operand, operand.source()::costBytes);
            case PARENT -> {
                double once = total(stage, operand, box -> chunkElements(operand, box));
                yield fromSource(
                        operand, reads * once, reads * once / operand.source().sizeBytes());
            }
            case SHUFFLE -> {
                pieces += count(stage, operand, box -> chunks(operand, box));
                yield fromSource(operand, operand.source().sizeBytes(), 1) + operand.shuffleBytes() * (1 + reads);
            }
            case NONE -> 0;
        };
        moved.merge(operand.strategy(), bytes, Double::sum);
    }

    /** What a stage reads of files, or what reading it costs. */
    static double fileBytes(Stage stage) {
        return stage.operands().stream()
                .filter(operand -> operand.transport() == Transport.FILE)
                .mapToDouble(operand -> count(stage, operand, operand.source()::costBytes))
                .sum();
    }

    /** What is read of a source moves; so do chunks that are computed once and kept. Others are computed where they are needed, so often. */
    private double fromSource(Operand operand, double bytes, double computations) {
        if (!(operand.source() instanceof StageOutput.Chunks chunks)) {
            return bytes;
        }
        if (plan.keeps(chunks.stage())) {
            times[chunks.stage()] = 1;
            return bytes;
        }
        times[chunks.stage()] += computations;
        return 0;
    }

    private double total(Stage stage, Operand operand, ToDoubleFunction<Box> elements) {
        return bytes(operand, count(stage, operand, elements));
    }

    private static double bytes(Operand operand, double elements) {
        return elements * operand.source().dtype().bytes();
    }

    /**
     * The sum over all chunks of what belongs to the block that each needs. The cuts along one dimension of the stage have nothing to do with those along another, so a sum for each is
     * enough. A stream keeps what every step needs.
     */
    private static double count(Stage stage, Operand operand, ToDoubleFunction<Box> of) {
        ChunkGrid grid = stage.grid();
        Box all = Box.whole(grid.shape());
        double whole = of.applyAsDouble(operand.access().box(all));
        double sum = whole;
        for (int dim = 0; dim < grid.cutDims() && whole > 0; dim++) {
            double parts = 0;
            boolean isKept = stage.kind() == Stage.Kind.STREAM
                    && dim == stage.streamDim()
                    && !operand.access().follows(dim);
            RowGrid along = isKept ? RowGrid.whole(grid.shape().size(dim)) : grid.along(dim);
            for (int i = 0; i < along.chunks(); i++) {
                Box part = all.with(dim, along.start(i), along.end(i));
                parts += of.applyAsDouble(operand.access().box(part));
            }
            sum = sum / whole * parts;
        }
        return sum;
    }

    private static double elements(Box box) {
        double elements = 1;
        for (int d = 0; d < box.rank(); d++) {
            elements *= box.size(d);
        }
        return elements;
    }

    private static double chunkElements(Operand operand, Box box) {
        return overChunks(operand.source().grid(), box, (along, first, last) -> along.end(last) - along.start(first));
    }

    private double chunks(Operand operand, Box box) {
        ChunkGrid cuts = operand.source().cuts(plan.settings());
        return overChunks(cuts, box, (along, first, last) -> last - first + 1);
    }

    @FunctionalInterface
    private interface Extent {
        long of(RowGrid along, int first, int last);
    }

    private static double overChunks(@Nullable ChunkGrid grid, Box box, Extent extent) {
        if (box.isEmpty() || grid == null) {
            return 0;
        }
        double product = 1;
        for (int d = 0; d < box.rank(); d++) {
            RowGrid along = grid.along(d);
            product *= extent.of(along, along.chunkOf(box.start(d)), along.chunkOf(box.end(d) - 1));
        }
        return product;
    }

    /** What tasks join is written and read before it comes to the driver. */
    private double partialBytes(Stage stage) {
        return switch (stage.kind()) {
            case FOLD -> {
                FoldTree tree = stage.foldTree(plan.settings());
                yield 2.0 * tree.shuffleBytes() + tree.driverBytes();
            }
            case SORT -> 2.0 * stage.shuffleBytes() + 2.0 * stage.outputBytes(); // shuffled, and kept
            case FILTER -> 2.0 * stage.outputBytes(); // kept
            case SCAN ->
                scannedBytes((Along) stage.outputs().get(0), stage.grid().along(0));
            default -> 0;
        };
    }

    /** The last chunk adds to none; what the rows before a chunk leave comes back to it. */
    private static double scannedBytes(Along scan, RowGrid rows) {
        double lines = (double) scan.shape().inner().numel() * scan.op().join().components();
        return lines * Long.BYTES * (rows.nodesOfFirst(rows.chunks() - 1) + rows.chunks() - 1);
    }
}
