package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.ParentsDependency;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.read.ReadSource;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;

/** Brings the operands of a plan's stages to the tasks, and the kernels. The broadcast variables that this takes live until it is closed. */
public final class OperandExchanges implements AutoCloseable {
    private final SparkContext context;
    private final SourceReader reader;
    private final WholeOperands replicas;
    private final StageKernels kernels;
    private final List<Broadcast<?>> broadcasts = new ArrayList<>();

    public OperandExchanges(SparkContext context, Settings settings, SourceReader reader) {
        this.context = context;
        this.reader = reader;
        this.replicas = new WholeOperands(context, settings, reader, broadcasts::add);
        this.kernels =
                new StageKernels(context, Device.of(settings.device()), cubins -> broadcast(cubins, byte[].class));
    }

    /** How the tasks of a stage come by its operands and kernels. */
    public StageInputs inputs(Stage stage) {
        StageInputs inputs = new StageInputs(kernels.of(stage));
        Map<Operand, Exchange> whole = replicas.of(stage);
        ChunkGrid tasks = stage.tasks();
        for (Operand operand : stage.operands()) {
            Source source = operand.source();
            Access access = operand.access();
            switch (operand.transport()) {
                case BROADCAST -> inputs.exchanges().add(Objects.requireNonNull(whole.get(operand)));
                case CHUNK_BROADCAST -> inputs.addPieces(pieces(operand, tasks), access);
                case FILE -> inputs.addStored(((ReadSource) source).reader(), access);
                case PARENT -> {
                    RDD<Block> parent = reader.chunks(source);
                    ChunkGrid cuts = Objects.requireNonNull(source.grid());
                    inputs.addParent(
                            new ParentsDependency<>(parent, chunk -> cuts.overlapping(access.box(tasks.box(chunk)))),
                            index -> new Exchange.FromParent(index, source.dtype(), access, cuts));
                }
                case SHUFFLE ->
                    inputs.addParent(
                            new OneToOneDependency<>(PiecesRDD.shuffled(reader.chunks(source), access, tasks)),
                            index -> new Exchange.FromShuffle(index, source.dtype(), access));
                case NONE -> throw new IllegalStateException("Nothing brings " + operand + " to a task");
            }
        }
        return inputs;
    }

    private List<Broadcast<Block>> pieces(Operand operand, ChunkGrid grid) {
        Tensor tensor = reader.read(operand.source(), Box.whole(operand.source().shape()));
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
    public <T> Broadcast<T> broadcast(T value, Class<T> type) {
        Broadcast<T> broadcast = context.broadcast(value, Scala.tag(type));
        broadcasts.add(broadcast);
        return broadcast;
    }

    @Override
    public void close() {
        CleanUp.run(() -> broadcasts.forEach(Broadcast::destroy));
    }
}
