package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.cache.OutputRDD;
import io.github.broadloom.exec.cache.StoredRDD;
import io.github.broadloom.exec.exchange.BroadcastKernels;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.OperandExchanges;
import io.github.broadloom.exec.exchange.SourceReader;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.ReadSource;
import io.github.broadloom.exec.read.TableSource;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.StageOutput;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;

/** One run of one plan: the results of its stages so far, on the driver and on the cluster, and its broadcast variables. */
final class PlanRun implements AutoCloseable {
    private final PlanRunner runner;
    private final SparkContext context;
    private final JobRunner jobs;
    private final Plan plan;
    private final Device device;
    private final String title;
    private final List<List<Tensor>> results = new ArrayList<>();
    /** Of each stage that leaves chunks, those of each output. */
    private final Map<Integer, List<RDD<Block>>> left = new HashMap<>();

    private final SourceReader reader;
    private final OperandExchanges exchanges;

    PlanRun(PlanRunner runner, Plan plan, String title) {
        this.runner = runner;
        this.context = runner.context();
        this.jobs = runner.jobs();
        this.plan = plan;
        this.device = Device.of(plan.settings().device());
        this.title = title;
        this.reader = new SourceReader(jobs, results, this::chunksOf);
        this.exchanges = new OperandExchanges(context, plan.settings(), reader);
    }

    Tensor value() {
        try (Hold held = local()) {
            runEarlier();
            return outputs(plan.last()).get(0);
        }
    }

    /** The chunks in an RDD of their own, to be kept: those of another tensor are that one's to drop. */
    RDD<Block> chunks() {
        try (Hold held = local()) {
            runEarlier();
            return evaluated(plan.last());
        }
    }

    RDD<Block> leave() {
        try (Hold held = local()) {
            runEarlier();
            return rdd(plan.last());
        }
    }

    /** Keeps the tensors of the driver that the plan reads; what tasks read of them later they hold themselves. */
    private Hold local() {
        List<Tensor> tensors = new ArrayList<>();
        for (Stage stage : plan.stages()) {
            for (Operand operand : stage.operands()) {
                if (operand.source() instanceof LocalSource local) {
                    tensors.add(local.tensor());
                }
            }
        }
        return Hold.of(tensors);
    }

    /** The distinct values: those of each chunk, merged as they come. */
    UniqueValues unique() {
        try (Hold held = local()) {
            runEarlier();
            Stage last = plan.last();
            Expr output = last.outputs().get(0);
            UniqueParts parts = new UniqueParts(output.dtype());
            RDD<Block> rdd = rdd(last);
            Fate fate = Fate.of(rdd);
            long bytesEach = (long) output.dtype().bytes() + Long.BYTES;
            jobs.run(
                    StoredRDD.of(rdd),
                    (task, blocks) -> unique(fate, fate.take(blocks)),
                    (chunk, part) -> parts.push(part),
                    chunk -> last.resultGrid().box(chunk).shape().numel() * bytesEach);
            return parts.merged();
        }
    }

    /** In a task. */
    private static byte[] unique(Fate fate, Block block) {
        try {
            return UniqueParts.of(block.tensor());
        } finally {
            fate.end(block);
        }
    }

    /** Returns what the tasks tell of each chunk. */
    List<Part> write(Sink.ChunkWriter writer) {
        try (Hold held = local()) {
            runEarlier();
            return writeLast(writer);
        }
    }

    private List<Part> writeLast(Sink.ChunkWriter writer) {
        Stage last = plan.last();
        if (last.kind().leavesChunks()) {
            RDD<Block> rdd = rdd(last);
            Fate fate = Fate.of(rdd);
            Part[] parts = new Part[last.resultGrid().chunks()];
            jobs.run(
                    StoredRDD.of(rdd),
                    (task, blocks) -> written(writer, fate.take(blocks), fate, task),
                    (chunk, part) -> parts[chunk] = part,
                    chunk -> Long.BYTES);
            return List.of(parts);
        }
        return List.of(written(writer, outputs(last).get(0), 0, 0, 0));
    }

    /** In a task. */
    private static Part written(Sink.ChunkWriter writer, Block block, Fate fate, TaskContext task) {
        try {
            Part part = written(writer, block.tensor(), task.partitionId(), block.firstRow(), task.taskAttemptId());
            task.taskMetrics().outputMetrics().setBytesWritten(BlockCodec.payloadBytes(block.tensor()));
            return part;
        } finally {
            fate.end(block);
        }
    }

    private static Part written(Sink.ChunkWriter writer, Tensor chunk, int index, long firstRow, long attempt) {
        try {
            return writer.write(chunk, index, firstRow, attempt);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void runEarlier() {
        for (Stage stage : plan.beforeLast()) {
            if (stage.kind().leavesChunks()) {
                RDD<Block> chunks = rdd(stage);
                if (plan.keeps(results.size())) {
                    runner.keep(chunks);
                }
                left.put(results.size(), OutputRDD.of(chunks, stage.outputs().size()));
                results.add(List.of());
            } else {
                results.add(outputs(stage));
            }
        }
    }

    /** The chunks of a source that lies on the cluster; of one in files, as tasks make them. */
    private RDD<Block> chunksOf(Source source) {
        if (source instanceof StageOutput.Chunks chunks) {
            return Objects.requireNonNull(left.get(chunks.stage())).get(chunks.output());
        }
        if (source instanceof ReadSource file) {
            return rows(file);
        }
        return source instanceof TableSource table ? table.chunks() : runner.chunks((CachedSource) source);
    }

    private RDD<Block> rows(ReadSource file) {
        ChunkGrid cuts = file.cuts(plan.settings());
        StageInputs inputs = new StageInputs(BroadcastKernels.EMPTY);
        inputs.addStored(file.reader(), Access.same(file.shape()));
        return ChunkRDD.ofValue(context, inputs, Input.of(0, file.dtype(), file.shape()), cuts, device);
    }

    private List<Tensor> outputs(Stage stage) {
        return switch (stage.kind()) {
            case FOLD -> new FoldJob(stage, plan.settings()).fold(context, exchanges.inputs(stage), device, jobs);
            case DRIVER -> onDriver(stage);
            case CHUNKS, STREAM, SCAN -> List.of(gather(rdd(stage), stage, stage.resultGrid()));
            case WHOLE -> // the task's one block has all of the result
                List.of(gather(
                        rdd(stage),
                        stage,
                        ChunkGrid.whole(stage.outputs().get(0).shape())));
        };
    }

    private List<Tensor> onDriver(Stage stage) {
        List<Tensor> operands = new ArrayList<>();
        Box everything = Box.whole(stage.grid().shape());
        for (Operand operand : stage.operands()) {
            Access access = operand.access();
            operands.add(access.moved(reader.read(operand.source(), access.box(everything)), everything));
        }
        return ChunkTask.over(stage.outputs(), operands.toArray(Tensor[]::new)).stream()
                .map(Devices.backend(ownDevice())::evaluate)
                .toList();
    }

    /** What computes here: no GPU is needed on the driver of a cluster that has some. */
    private Device ownDevice() {
        return context.isLocal() || Devices.isAvailable(device) ? device : Device.CPU;
    }

    /** Copies each chunk to its place in the whole as it arrives. */
    private Tensor gather(RDD<Block> rdd, Stage stage, ChunkGrid grid) {
        Expr output = stage.outputs().get(0);
        return reader.gather(rdd, output.dtype(), Box.whole(output.shape()), grid);
    }

    private RDD<Block> rdd(Stage stage) {
        Expr output = stage.outputs().get(0);
        if (output instanceof Input input && input.source() instanceof Integer slot) {
            Operand operand = stage.operands().get(slot);
            boolean same = operand.access().isPlain() && operand.source().hasGrid(stage.grid());
            if (operand.transport() == Transport.PARENT && same) {
                return chunksOf(operand.source());
            }
        }
        return evaluated(stage);
    }

    private RDD<Block> evaluated(Stage stage) {
        StageInputs inputs = exchanges.inputs(stage);
        RDD<Block> rdd = switch (stage.kind()) {
            case STREAM -> StreamedReductions.rdd(context, inputs, stage, device);
            case SCAN ->
                new Scan(context, inputs, stage, device)
                        .chunks(jobs, bundle -> exchanges.broadcast(bundle, byte[][].class));
            case CHUNKS, FOLD, WHOLE, DRIVER ->
                ChunkRDD.ofValue(context, inputs, stage.outputs().get(0), stage.grid(), device);
        };
        rdd.setName(title);
        return rdd;
    }

    @Override
    public void close() {
        exchanges.close();
    }
}
