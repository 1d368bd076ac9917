package io.github.broadloom.exec;

import io.github.broadloom.device.Device;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Brings the operands of a plan's stages to the tasks. The broadcast variables that this takes live until it is closed. */
final class OperandFeeds implements AutoCloseable {
    /** What travels with the code of the tasks, which every task reads anew: some microseconds for this much. */
    private static final long CARRIED_BYTES = 1 << 16;

    private final SparkContext context;
    private final Settings settings;
    private final BiFunction<Source, Box, Tensor> local;
    private final Function<Source, RDD<Block>> chunks;
    private final Device device;
    private final List<Broadcast<?>> broadcasts = new ArrayList<>();

    /**
     * @param local brings a box of a source to the driver
     * @param chunks of a source that lies on the cluster
     */
    OperandFeeds(
            SparkContext context,
            Settings settings,
            BiFunction<Source, Box, Tensor> local,
            Function<Source, RDD<Block>> chunks) {
        this.context = context;
        this.settings = settings;
        this.device = Device.of(settings.device());
        this.local = local;
        this.chunks = chunks;
    }

    /** How the tasks of a stage come by its operands. */
    StageInputs inputs(Stage stage) {
        Map<Operand, Feed> replicas = replicas(stage);
        StageInputs inputs = new StageInputs();
        for (Operand operand : stage.operands()) {
            Source source = operand.source();
            Access access = operand.access();
            switch (operand.transport()) {
                case BROADCAST -> inputs.add(Objects.requireNonNull(replicas.get(operand)));
                case CHUNK_BROADCAST -> inputs.addPieces(pieces(operand, stage.tasks()), access);
                case FILE -> inputs.add(new Feed.Stored(((FileSource) source).reader(), access));
                case PARENT -> {
                    RDD<Block> parent = chunks.apply(source);
                    ChunkGrid cuts = Objects.requireNonNull(source.grid());
                    inputs.addParent(
                            new BoxDependency(parent, stage.tasks(), access, cuts),
                            index -> new Feed.Parent(index, source.dtype(), access, cuts));
                }
                case SHUFFLE ->
                    inputs.addParent(
                            new OneToOneDependency<>(shuffled(source, access, stage.tasks())),
                            index -> new Feed.Shuffled(index, source.dtype(), access));
                case NONE -> throw new IllegalStateException("Nothing brings " + operand + " to a task");
            }
        }
        return inputs;
    }

    /** The pieces of a source's chunks, each at the chunk of the stage that needs it. */
    private RDD<Tuple2<Integer, Block>> shuffled(Source source, Access access, ChunkGrid grid) {
        RDD<Block> blocks = source instanceof FileSource file ? rows(file) : chunks.apply(source);
        return PiecesRDD.shuffled(blocks, access, grid);
    }

    /** The rows of a file in chunks of their own. */
    private RDD<Block> rows(FileSource file) {
        ChunkGrid cuts = file.cuts(settings);
        StageInputs inputs = new StageInputs();
        inputs.add(new Feed.Stored(file.reader(), Access.same(file.shape())));
        return new EvalRDD(context, inputs, Input.of(0, file.dtype(), file.shape()), cuts, device);
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
            Tensor tensor = replica(operand, stage);
            long bytes = BlockCodec.payloadBytes(tensor);
            if (carriedBytes + bytes <= CARRIED_BYTES) {
                carriedBytes += bytes;
                feeds.put(operand, Feed.Carried.of(tensor, Feed.Part.of(operand)));
            } else {
                large.put(operand, new Block(tensor));
            }
        }
        if (!large.isEmpty()) {
            Broadcast<Block[]> bundle = broadcast(large.values().toArray(Block[]::new), Block[].class);
            int index = 0;
            for (Operand operand : large.keySet()) {
                feeds.put(operand, new Feed.Replica(bundle, index++, Feed.Part.of(operand)));
            }
        }
        return feeds;
    }

    /** What travels: the operand where every chunk has the same, else all that they take theirs from. */
    private Tensor replica(Operand operand, Stage stage) {
        Box everything = Box.whole(stage.grid().shape());
        if (operand.strategy() != Strategy.REPLICATE) {
            return local.apply(operand.source(), Box.whole(operand.source().shape()));
        }
        Access access = operand.access();
        return access.moved(local.apply(operand.source(), access.box(everything)), everything);
    }

    private List<Broadcast<Block>> pieces(Operand operand, ChunkGrid grid) {
        Tensor tensor = local.apply(operand.source(), Box.whole(operand.source().shape()));
        Map<Box, Broadcast<Block>> known = new HashMap<>();
        List<Broadcast<Block>> pieces = new ArrayList<>();
        for (int i = 0; i < grid.chunks(); i++) {
            pieces.add(known.computeIfAbsent(
                    operand.access().box(grid.box(i)),
                    box -> broadcast(new Block(box.of(tensor), box.starts()), Block.class)));
        }
        return pieces;
    }

    /** A broadcast variable that lives as long as these. */
    <T> Broadcast<T> broadcast(T value, Class<T> type) {
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
