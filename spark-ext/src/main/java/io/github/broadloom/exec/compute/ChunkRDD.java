package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.BroadcastKernels;
import io.github.broadloom.exec.exchange.ChunkPartition;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.Exchange;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.read.BlockReader;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** An RDD with one element for each output of a chunk, in order, computed by the kernels of one stage. */
abstract class ChunkRDD<T> extends RDD<T> {
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

    ChunkRDD(
            SparkContext context,
            StageInputs inputs,
            List<Expr> outputs,
            ChunkGrid grid,
            Device device,
            ClassTag<T> tag) {
        super(context, Scala.seq(inputs.dependencies()), tag);
        this.grid = grid;
        this.outputs = outputs.toArray(Expr[]::new);
        this.exchanges = inputs.exchanges();
        this.device = device;
        this.kernels = inputs.kernels();
        this.pieces = inputs.pieces();
        this.readers = inputs.readers();
    }

    /** What the chunk's elements are. */
    abstract List<T> elements(ChunkTask task, Backend backend) throws IOException;

    /** The stage's expressions over the operands of the task's block. */
    final List<Expr> outputs(ChunkTask task) throws IOException {
        return overTensors(task.operands(exchanges));
    }

    @Override
    public final Partition[] getPartitions() {
        Partition[] partitions = new Partition[grid.chunks()];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = new ChunkPartition(i, grid.box(i), parentsOf(i), piecesOf(i), readersOf(grid.box(i)));
        }
        return partitions;
    }

    /** After a checkpoint nothing is computed here any more: what that would take can go. */
    @Override
    public final void clearDependencies() {
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
            List<Partition> found = new ArrayList<>();
            for (Object parent : scala.jdk.javaapi.CollectionConverters.asJava(dependency.getParents(chunk))) {
                found.add(all[(Integer) parent]);
            }
            parents[d] = found.toArray(Partition[]::new);
        }
        return parents;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Broadcast<Block>[] piecesOf(int chunk) {
        Broadcast[] found = new Broadcast[pieces.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = pieces.get(i).get(chunk);
        }
        return found;
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
    public final Iterator<T> compute(Partition split, TaskContext context) {
        TaskMeter.of(context);
        ChunkTask task = new ChunkTask(this, (ChunkPartition) split, context);
        try (CurrentGpu.Scope gpu = TaskGpu.use(context)) {
            kernels.unpack();
            return Scala.iterator(elements(task, Devices.backend(device)));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            task.scope().releaseAll();
        }
    }

    private List<Expr> overTensors(Tensor[] tensors) {
        List<Expr> exprs = new ArrayList<>();
        for (Expr output : outputs) {
            exprs.add(output.mapInputs(slot -> {
                Tensor tensor = tensors[(Integer) slot.source()];
                return Input.of(tensor, tensor.dtype(), tensor.shape());
            }));
        }
        return exprs;
    }
}
