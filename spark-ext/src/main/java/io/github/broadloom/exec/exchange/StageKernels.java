package io.github.broadloom.exec.exchange;

import io.github.broadloom.cuda.CudaRecording;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.Cubin;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.cuda.compiler.NoKernelException;
import io.github.broadloom.exec.jobs.Architectures;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.CommonParts;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Streams;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles the kernels of stages on the driver, for the executors' GPUs, so that an executor needs a driver and no compiler. Which they are is found by
 * a dry run of one chunk of each shape. In a local mode there is nothing to do: the tasks run here, and compile here.
 */
final class StageKernels {
    private static final Logger LOG = LoggerFactory.getLogger(StageKernels.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Chunks are cut regularly, so there are few shapes; of a grid that has more, the tasks compile the rest. */
    private static final int SHAPES = 64;

    private final SparkContext context;
    private final boolean onGpus;
    private final Function<byte[], Broadcast<byte[]>> broadcaster;

    StageKernels(SparkContext context, Device device, Function<byte[], Broadcast<byte[]>> broadcaster) {
        this.context = context;
        this.onGpus = !device.isCpu() && !context.isLocal();
        this.broadcaster = broadcaster;
    }

    /** What is sent with a stage: as many of its kernels as are to be had here. */
    BroadcastKernels of(Stage stage) {
        if (!onGpus) {
            return BroadcastKernels.EMPTY;
        }
        List<CudaSource> sources = sources(stage);
        List<String> architectures = sources.isEmpty() ? List.of() : Architectures.of(context);
        return BroadcastKernels.of(compiled(sources, architectures), broadcaster);
    }

    private static List<Cubin> compiled(List<CudaSource> sources, List<String> architectures) {
        return architectures.isEmpty() ? List.of() : Cubins.shared().cubins(sources, architectures, StageKernels::tell);
    }

    private static void tell(NoKernelException missing) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.info("The executors compile kernels that the driver cannot: {}", missing.sentence());
        }
    }

    /** The kernels that the chunks of a stage take on a GPU, each once. */
    static List<CudaSource> sources(Stage stage) {
        return stage.copies() ? List.of() : new Recorder(stage).sources();
    }

    private static final class Recorder {
        private final Stage stage;
        private final Set<CudaSource> sources = new LinkedHashSet<>();
        private final Set<List<Object>> known = new HashSet<>();

        Recorder(Stage stage) {
            this.stage = stage;
        }

        List<CudaSource> sources() {
            ChunkGrid grid = stage.kind() == Stage.Kind.STREAM ? stage.tasks() : stage.grid();
            for (int chunk = 0; chunk < grid.chunks() && known.size() < SHAPES; chunk++) {
                switch (stage.kind()) {
                    case CHUNKS, WHOLE -> chunk(grid.box(chunk));
                    case FILTER -> chunk(grid.box(chunk), stage.outputs().get(0).children());
                    case FOLD, SELECT, SORT -> fold(grid.box(chunk));
                    case STREAM -> steps(grid.box(chunk));
                    case SCAN -> scan(grid, chunk);
                    case DRIVER, GATHER -> {} // nothing is sent, or what its indices take
                }
            }
            return List.copyOf(sources);
        }

        private void chunk(Box box) {
            chunk(box, stage.outputs());
        }

        private void chunk(Box box, List<Expr> outputs) {
            Tensor[] tensors = operands(box);
            if (isNew(box, tensors, 0)) {
                CommonParts.computed(stage.kind(), ChunkTask.over(outputs, tensors), this::common)
                        .forEach(output -> add(CudaRecording.of(output)));
            }
        }

        private Input common(Expr part) {
            add(CudaRecording.of(part));
            return Input.of(CudaRecording.here(part.dtype(), Layout.contiguous(part.shape())));
        }

        private void fold(Box box) {
            Tensor[] tensors = operands(box);
            Expr first = stage.outputs().get(0);
            if (first instanceof Along along) { // what its lines are of; the CPU does the rest
                chunk(box, List.of(along.operand()));
            } else if (!(first instanceof Contraction) && isNew(box, tensors, box.start(0))) {
                List<Reduce> rows = ChunkTask.over(stage.outputs(), tensors).stream()
                        .map(Reduce.class::cast)
                        .toList();
                add(CudaRecording.ofPartials(rows, box.start(0)));
            }
        }

        /** The first pass, over all chunks but the last; the second is the CPU's. */
        private void scan(ChunkGrid grid, int chunk) {
            Box box = grid.box(chunk);
            Tensor[] tensors = operands(box);
            if (chunk < grid.chunks() - 1 && isNew(box, tensors, box.start(0))) {
                Along along = (Along) ChunkTask.over(stage.outputs(), tensors).get(0);
                add(CudaRecording.ofPartials(along, box.start(0)));
            }
        }

        private void steps(Box task) {
            int dim = stage.streamDim();
            RowGrid steps = stage.grid().along(dim);
            for (int i = 0; i < steps.chunks() && known.size() < SHAPES; i++) {
                Box box = task.with(dim, steps.start(i), steps.end(i));
                Tensor[] tensors = operands(box);
                if (isNew(box, tensors, steps.start(i))) {
                    List<Reduce> rows = ChunkTask.over(stage.outputs(), tensors).stream()
                            .map(output -> Streams.overRows(output, dim))
                            .toList();
                    add(CudaRecording.ofPartials(rows, steps.start(i)));
                }
            }
        }

        /** @param firstRow of a fold: what it is a multiple of decides how its tree is cut */
        private boolean isNew(Box box, Tensor[] tensors, long firstRow) {
            List<Object> key = new ArrayList<>(List.of(box.shape(), Long.lowestOneBit(firstRow)));
            for (Tensor tensor : tensors) {
                key.add(tensor.layout());
            }
            return known.add(key);
        }

        private void add(CudaRecording recording) {
            sources.addAll(recording.sources());
        }

        private record Reading(Source source, Box box) {}

        /** The operands of a task as it has them, without elements, by their slots. */
        private Tensor[] operands(Box task) {
            Map<Reading, Tensor> readings = new HashMap<>();
            Tensor[] tensors = new Tensor[stage.operands().size()];
            for (int i = 0; i < tensors.length; i++) {
                tensors[i] = operand(stage.operands().get(i), task, readings);
            }
            return tensors;
        }

        private Tensor operand(Operand operand, Box task, Map<Reading, Tensor> readings) {
            Access access = operand.access();
            boolean replicated = operand.transport() == Transport.BROADCAST && operand.isCommon();
            Box chunk = replicated ? Box.whole(stage.grid().shape()) : task;
            Source source = operand.source();
            Tensor block = readings.computeIfAbsent(new Reading(source, access.box(chunk)), Recorder::block);
            if (access.copies()) {
                return CudaRecording.here(source.dtype(), Layout.contiguous(access.shape(chunk)));
            }
            Tensor moved = access.moved(block, chunk);
            return moved.device().isCpu() ? CudaRecording.here(moved.dtype(), moved.layout()) : moved;
        }

        /** A block as it is read: in order, but for the dimensions of a local tensor that repeat one element. */
        private static Tensor block(Reading reading) {
            Shape shape = reading.box.shape();
            long[] held = shape.toArray();
            if (reading.source instanceof LocalSource local) {
                Layout layout = local.tensor().layout();
                for (int d = 0; d < held.length; d++) {
                    held[d] = layout.stride(d) == 0 ? Math.min(1, held[d]) : held[d];
                }
            }
            Layout distinct = Layout.contiguous(Shape.of(held));
            return CudaRecording.here(reading.source.dtype(), distinct.expand(shape));
        }
    }
}
