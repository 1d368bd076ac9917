package io.github.broadloom.exec;

import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;

/** Brings the operands of a plan's stages to the tasks. The broadcast variables that this takes live until it is closed. */
final class OperandFeeds implements AutoCloseable {
    /** What travels with the code of the tasks, which every task reads anew: some microseconds for this much. */
    private static final long CARRIED_BYTES = 1 << 16;

    private final SparkContext context;
    private final Runner runner;
    private final Function<Source, Tensor> local;
    private final List<Broadcast<?>> broadcasts = new ArrayList<>();

    /** @param local brings all of a source to the driver */
    OperandFeeds(SparkContext context, Runner runner, Function<Source, Tensor> local) {
        this.context = context;
        this.runner = runner;
        this.local = local;
    }

    /** How the tasks of a stage come by its operands. */
    StageInputs inputs(Stage stage) {
        Map<Operand, Feed> replicas = replicas(stage);
        StageInputs inputs = new StageInputs();
        for (Operand operand : stage.operands()) {
            switch (operand.transport()) {
                case BROADCAST -> inputs.add(Objects.requireNonNull(replicas.get(operand)));
                case CHUNK_BROADCAST -> inputs.addPieces(pieces(local.apply(operand.source()), stage.grid()));
                case FILE -> inputs.add(new Feed.Stored(((FileSource) operand.source()).reader()));
                case PARENT -> {
                    CachedSource parent = (CachedSource) operand.source();
                    inputs.addParent(parent.chunks(runner), parent.grid());
                }
                case NONE -> throw new IllegalStateException("Nothing brings " + operand + " to a task");
            }
        }
        return inputs;
    }

    /** What every task gets whole: the small operands with its code, the others in one broadcast variable. */
    private Map<Operand, Feed> replicas(Stage stage) {
        Map<Operand, Feed> feeds = new IdentityHashMap<>();
        Map<Operand, Block> large = new LinkedHashMap<>();
        long carriedBytes = 0;
        for (Operand operand : stage.operands()) {
            if (operand.transport() != Transport.BROADCAST) {
                continue;
            }
            Tensor tensor = local.apply(operand.source());
            long bytes = BlockCodec.payloadBytes(tensor);
            if (carriedBytes + bytes <= CARRIED_BYTES) {
                carriedBytes += bytes;
                feeds.put(operand, Feed.Carried.of(tensor, operand.strategy()));
            } else {
                large.put(operand, new Block(tensor, 0));
            }
        }
        if (!large.isEmpty()) {
            Broadcast<Block[]> bundle = broadcast(large.values().toArray(Block[]::new), Block[].class);
            int index = 0;
            for (Operand operand : large.keySet()) {
                feeds.put(operand, new Feed.Replica(bundle, index++, operand.strategy()));
            }
        }
        return feeds;
    }

    private List<Broadcast<Block>> pieces(Tensor tensor, RowGrid grid) {
        List<Broadcast<Block>> pieces = new ArrayList<>();
        for (int i = 0; i < grid.chunks(); i++) {
            Tensor rows = tensor.narrow(0, grid.start(i), grid.end(i) - grid.start(i));
            pieces.add(broadcast(new Block(rows, grid.start(i)), Block.class));
        }
        return pieces;
    }

    private <T> Broadcast<T> broadcast(T value, Class<T> type) {
        Broadcast<T> broadcast = context.broadcast(value, Scala.tag(type));
        broadcasts.add(broadcast);
        return broadcast;
    }

    /** Drops the broadcast variables: for when the tasks are over. */
    @Override
    public void close() {
        CleanUp.run(() -> broadcasts.forEach(Broadcast::destroy));
    }
}
