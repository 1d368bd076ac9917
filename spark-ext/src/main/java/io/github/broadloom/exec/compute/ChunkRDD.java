package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.exchange.BroadcastKernels;
import io.github.broadloom.exec.exchange.ChunkPartition;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.Exchange;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.CommonParts;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** An RDD of what the kernels of one stage make of its chunks: by default one element for each output, in order. */
final class ChunkRDD<T> extends RDD<T> {
    private static final long serialVersionUID = 1L;

    /** On the driver alone: the code of the tasks does not grow with the number of chunks. */
    private final transient ChunkGrid grid;

    private Expr[] outputs;
    private Exchange[] exchanges;
    private final Device device;
    private BroadcastKernels kernels;
    /** On the driver alone: the tasks have what they need of it in their partitions. */
    private transient List<List<Broadcast<Block>>> pieces;
    /** As the pieces. */
    private transient List<BlockReader> readers;

    private final Computation<T> computation;

    /** What a task computes of its chunk; it is sent with the tasks. */
    interface Computation<T> extends Serializable {
        List<T> elements(ChunkTask task, Backend backend) throws IOException;
    }

    ChunkRDD(
            SparkContext context,
            StageInputs inputs,
            List<Expr> outputs,
            ChunkGrid grid,
            Device device,
            Class<T> type,
            Computation<T> computation) {
        super(context, Scala.seq(inputs.dependencies()), Scala.tag(type));
        this.grid = grid;
        this.outputs = outputs.toArray(Expr[]::new);
        this.exchanges = inputs.exchanges().toArray(Exchange[]::new);
        this.device = device;
        this.kernels = inputs.kernels();
        this.pieces = inputs.pieces();
        this.readers = inputs.readers();
        this.computation = computation;
    }

    /** The chunks of expressions' values: one block for each, made by one fused kernel over what several have in common. */
    static RDD<Block> ofValues(
            SparkContext context, StageInputs inputs, List<Expr> outputs, ChunkGrid grid, Device device) {
        return new ChunkRDD<>(context, inputs, outputs, grid, device, Block.class, ChunkRDD::values);
    }

    static List<Block> values(ChunkTask task, Backend backend) throws IOException {
        TaskScope scope = task.scope();
        List<Expr> outputs = CommonParts.computed(
                Stage.Kind.CHUNKS, task.outputs(), part -> Input.of(scope.own(value(part, backend, scope))));
        List<Block> blocks = new ArrayList<>();
        for (Expr output : outputs) {
            Tensor value = value(output, backend, scope);
            blocks.add(Block.owning(value, Arrays.copyOf(task.chunk().box().starts(), value.rank())));
        }
        return blocks;
    }

    private static Tensor value(Expr output, Backend backend, TaskScope scope) {
        if (!(output instanceof Input input)) {
            Tensor computed = backend.evaluate(output);
            boolean shared = output.inputs().stream()
                    .anyMatch(operand ->
                            operand.source() instanceof Tensor tensor && tensor.storage() == computed.storage());
            return shared ? computed.copy() : computed;
        }
        // Nothing to compute: what was read for this task is the result itself.
        Tensor tensor = (Tensor) input.source();
        boolean whole = TensorBytes.count(tensor) == tensor.storage().sizeBytes();
        if (scope.owns(tensor) && tensor.isContiguous() && whole) {
            scope.giveAway(tensor);
            return tensor;
        }
        return tensor.copy();
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] partitions = new Partition[grid.chunks()];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = new ChunkPartition(i, grid.box(i), parentsOf(i), piecesOf(i), readersOf(grid.box(i)));
        }
        return partitions;
    }

    /** After a checkpoint nothing is computed here any more: what that would take can go. */
    @Override
    public void clearDependencies() {
        super.clearDependencies();
        outputs = new Expr[0];
        exchanges = new Exchange[0];
        pieces = List.of();
        readers = List.of();
        kernels = BroadcastKernels.EMPTY;
    }

    private Partition[][] parentsOf(int chunk) {
        Partition[][] parents = new Partition[dependencies().size()][];
        for (int d = 0; d < parents.length; d++) {
            NarrowDependency<?> dependency =
                    (NarrowDependency<?>) (Dependency<?>) dependencies().apply(d);
            Partition[] all = dependency.rdd().partitions();
            parents[d] = CollectionConverters.asJava(dependency.getParents(chunk)).stream()
                    .map(parent -> all[(Integer) parent])
                    .toArray(Partition[]::new);
        }
        return parents;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Broadcast<Block>[] piecesOf(int chunk) {
        return pieces.stream().map(own -> own.get(chunk)).toArray(Broadcast[]::new);
    }

    private BlockReader[] readersOf(Box chunk) {
        BlockReader[] found = readers.toArray(BlockReader[]::new);
        for (int i = 0; i < found.length; i++) {
            long start = Long.MAX_VALUE;
            long end = 0;
            for (Exchange exchange : exchanges) {
                if (exchange instanceof Exchange.FromFiles stored && stored.index() == i) {
                    Box box = stored.access().box(chunk);
                    start = box.rank() == 0 ? 0 : Math.min(start, box.start(0));
                    end = box.rank() == 0 ? 1 : Math.max(end, box.end(0));
                }
            }
            found[i] = found[i].ofRows(start, end);
        }
        return found;
    }

    @Override
    public Iterator<T> compute(Partition split, TaskContext context) {
        TaskMeter.of(context);
        ChunkTask task = new ChunkTask(this, (ChunkPartition) split, context, outputs, exchanges);
        try (CurrentGpu.Scope gpu = TaskGpu.use(context)) {
            kernels.unpack();
            return Scala.iterator(computation.elements(task, Devices.backend(device)));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            task.scope().releaseAll();
        }
    }
}
