package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Devices;
import io.github.broadloom.device.Threads;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.JavaBytes;
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
import io.github.broadloom.lazy.UniqueValues.Inverse;
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
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.OutputMetrics;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;

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

    /** All results on the driver, in their order. */
    List<Tensor> values() {
        Tensor[] values = new Tensor[plan.results().size()];
        try (Hold held = local()) {
            run(plan.stages(), (stage, chunks) -> gather(stage, chunks, values));
            for (int i = 0; i < values.length; i++) {
                Plan.Result result = plan.results().get(i);
                if (!result.stage().kind().leavesChunks()) {
                    values[i] = onDriver(result);
                }
            }
            return List.of(values);
        }
    }

    private Tensor onDriver(Plan.Result result) {
        return results.get(result.at()).get(result.output());
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
        UniqueParts parts = new UniqueParts(plan.last().outputs().get(0).dtype());
        unique(UniqueParts::of, (chunk, result, part) -> parts.push(part));
        return parts.merged();
    }

    /** The distinct rows: those of each chunk, which has whole ones, put together when all have come. */
    UniqueValues uniqueRows() {
        Expr output = plan.last().outputs().get(0);
        UniqueValues[] parts = new UniqueValues[plan.last().resultGrid().chunks()];
        try {
            unique(
                    rows -> SentUnique.bytes(UniqueValues.of(rows, 0, Inverse.WITH, 1)),
                    (chunk, result, part) -> parts[chunk] = SentUnique.read(part, output.dtype(), output.shape()));
            return UniqueValues.joined(List.of(parts), Threads.local());
        } finally {
            Arrays.stream(parts).filter(Objects::nonNull).forEach(UniqueValues::release);
        }
    }

    private interface OfTensor extends Serializable {
        byte[] of(Tensor chunk);
    }

    private void unique(OfTensor body, ForChunk<byte[]> handler) {
        ChunkGrid grid = plan.last().resultGrid();
        long bytesEach = (long) plan.last().outputs().get(0).dtype().bytes() + Long.BYTES;
        try (Hold held = local()) {
            run(
                    plan.stages(),
                    (stage, chunks) -> forEachChunk(
                            stage,
                            chunks,
                            (task, result, block) -> body.of(block.tensor()),
                            handler,
                            chunk -> grid.box(chunk).shape().numel() * bytesEach));
        }
    }

    /**
     * Writes each result by its writer.
     *
     * @return what the tasks tell of each chunk of each result
     */
    List<List<Part>> write(List<Sink.ChunkWriter> writers) {
        List<Part[]> parts = new ArrayList<>();
        plan.results().forEach(result -> parts.add(new Part[result.grid().chunks()]));
        try (Hold held = local()) {
            run(plan.stages(), (stage, chunks) -> write(stage, chunks, writers, parts));
            for (int i = 0; i < writers.size(); i++) {
                Plan.Result result = plan.results().get(i);
                if (!result.stage().kind().leavesChunks()) {
                    parts.get(i)[0] = written(writers.get(i), onDriver(result), 0, 0, 0);
                }
            }
        }
        return parts.stream().map(List::of).toList();
    }

    private void write(int stage, RDD<Block> chunks, List<Sink.ChunkWriter> writers, List<Part[]> parts) {
        List<Integer> own = resultsOf(stage);
        List<Sink.ChunkWriter> each = own.stream().map(writers::get).toList();
        forEachChunk(
                stage,
                chunks,
                (task, i, block) -> written(each.get(i), block, task),
                (chunk, i, part) -> parts.get(own.get(i))[chunk] = part,
                chunk -> (long) own.size() * Long.BYTES);
    }

    private void gather(int stage, RDD<Block> chunks, Tensor[] values) {
        List<Integer> own = resultsOf(stage);
        List<Plan.Result> each = own.stream().map(plan.results()::get).toList();
        List<ChunkGrid> grids = each.stream().map(Plan.Result::grid).toList();
        for (int i = 0; i < own.size(); i++) {
            values[own.get(i)] = Tensors.empty(each.get(i).dtype(), each.get(i).shape());
        }
        forEachChunk(
                stage,
                chunks,
                (task, i, block) -> SourceReader.collected(block.tensor()),
                (chunk, i, bytes) -> bytes.copyTo(grids.get(i)
                        .box(chunk)
                        .of(values[own.get(i)], Box.whole(grids.get(i).shape()))),
                chunk -> {
                    long bytes = 0;
                    for (int i = 0; i < own.size(); i++) {
                        bytes += each.get(i)
                                .dtype()
                                .sizeBytes(grids.get(i).box(chunk).shape().numel());
                    }
                    return bytes;
                });
    }

    /** The numbers of the results that a stage leaves. */
    private List<Integer> resultsOf(int stage) {
        return IntStream.range(0, plan.results().size())
                .filter(i -> plan.results().get(i).at() == stage)
                .boxed()
                .toList();
    }

    /** What a task makes of a block: of the stage's result with that number, from 0. */
    private interface ForBlock<U> extends Serializable {
        U of(TaskContext task, int result, Block block);
    }

    private interface ForChunk<U> {
        void accept(int chunk, int result, U made);
    }

    /** One job, as a rule, over the chunks of all results that a stage leaves. */
    private <U> void forEachChunk(
            int stage, RDD<Block> chunks, ForBlock<U> body, ForChunk<U> handler, IntToLongFunction resultBytes) {
        Fate fate = Fate.of(chunks);
        int outputs = plan.stages().get(stage).outputs().size();
        int[] outputOf = resultsOf(stage).stream()
                .mapToInt(i -> plan.results().get(i).output())
                .toArray();
        if (outputs == 1 && outputOf.length == 1) {
            jobs.run(
                    StoredRDD.of(chunks),
                    (task, blocks) -> made(task, 0, fate.take(blocks), fate, body),
                    (chunk, made) -> handler.accept(chunk, 0, made),
                    resultBytes);
            return;
        }
        jobs.run(
                StoredRDD.of(chunks),
                (task, blocks) -> JavaBytes.of(made(task, blocks, fate, outputs, outputOf, body)),
                (chunk, bytes) -> {
                    @SuppressWarnings("unchecked")
                    List<U> made = JavaBytes.read(bytes, ArrayList.class);
                    for (int i = 0; i < made.size(); i++) {
                        handler.accept(chunk, i, made.get(i));
                    }
                },
                resultBytes);
    }

    private static <U> U made(TaskContext task, int result, Block block, Fate fate, ForBlock<U> body) {
        try {
            return body.of(task, result, block);
        } finally {
            fate.end(block);
        }
    }

    /** In a task: the blocks of all outputs come one after the other. */
    private static <U> ArrayList<U> made(
            TaskContext task, Iterator<Block> blocks, Fate fate, int outputs, int[] outputOf, ForBlock<U> body) {
        Map<Integer, U> made = new TreeMap<>();
        for (int output = 0; output < outputs; output++) {
            Block block = fate.take(blocks);
            try {
                for (int i = 0; i < outputOf.length; i++) {
                    if (outputOf[i] == output) {
                        made.put(i, body.of(task, i, block));
                    }
                }
            } finally {
                fate.end(block);
            }
        }
        return new ArrayList<>(made.values());
    }

    /** In a task. */
    private static Part written(Sink.ChunkWriter writer, Block block, TaskContext task) {
        Part part = written(writer, block.tensor(), task.partitionId(), block.firstRow(), task.taskAttemptId());
        OutputMetrics metrics = task.taskMetrics().outputMetrics();
        metrics.setBytesWritten(metrics.bytesWritten() + BlockCodec.payloadBytes(block.tensor()));
        return part;
    }

    private static Part written(Sink.ChunkWriter writer, Tensor chunk, int index, long firstRow, long attempt) {
        try {
            return writer.write(chunk, index, firstRow, attempt);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void runEarlier() {
        run(plan.beforeLast(), (stage, chunks) -> {});
    }

    /** What is done with the chunks that a stage leaves of results. */
    private interface Ending {
        void of(int stage, RDD<Block> chunks);
    }

    private void run(List<Stage> stages, Ending ending) {
        for (Stage stage : stages) {
            int number = results.size();
            if (stage.kind().leavesChunks()) {
                RDD<Block> chunks = rdd(stage);
                if (plan.keeps(number)) {
                    runner.keep(chunks);
                }
                if (plan.isComputedFirst(number)) {
                    runner.compute(chunks);
                }
                left.put(number, OutputRDD.of(chunks, stage.outputs().size()));
                results.add(List.of());
                if (plan.isResult(number)) {
                    ending.of(number, chunks);
                }
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
        List<Expr> rows = List.of(Input.of(0, file.dtype(), file.shape()));
        return ChunkRDD.ofValues(context, inputs, rows, cuts, device);
    }

    private List<Tensor> outputs(Stage stage) {
        return switch (stage.kind()) {
            case FOLD -> new FoldJob(stage, plan.settings()).fold(context, exchanges.inputs(stage), device, jobs);
            case SELECT -> SelectJob.select(stage, context, exchanges.inputs(stage), device, jobs);
            case DRIVER -> onDriver(stage);
            case WHOLE -> List.of(whole(stage));
            case CHUNKS, STREAM, SCAN, SORT, FILTER, GATHER ->
                throw new IllegalStateException("Leaves chunks: " + stage.kind());
        };
    }

    /** The one block of the one task. */
    private Tensor whole(Stage stage) {
        Expr output = stage.outputs().get(0);
        return reader.gather(rdd(stage), output.dtype(), Box.whole(output.shape()), ChunkGrid.whole(output.shape()));
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

    private RDD<Block> rdd(Stage stage) {
        Expr output = stage.outputs().get(0);
        boolean alone = stage.outputs().size() == 1;
        if (alone && output instanceof Input input && input.source() instanceof Integer slot) {
            Operand operand = stage.operands().get(slot);
            boolean same = operand.access().isPlain() && operand.source().hasGrid(stage.grid());
            if (operand.transport() == Transport.PARENT && same) {
                return chunksOf(operand.source());
            }
        }
        return evaluated(stage);
    }

    private RDD<Block> evaluated(Stage stage) {
        StageInputs inputs = exchanges.inputs(stage.kind() == Stage.Kind.GATHER ? stage.indices() : stage);
        RDD<Block> rdd = switch (stage.kind()) {
            case STREAM -> StreamedReductions.rdd(context, inputs, stage, device);
            case SCAN ->
                new Scan(context, inputs, stage, device)
                        .chunks(jobs, bundle -> exchanges.broadcast(bundle, byte[][].class));
            case SORT ->
                new SortedRanges(context, inputs, stage, device, jobs, runner::keep)
                        .chunks(plan.settings().driverBytes());
            case FILTER -> FilteredRows.chunks(context, inputs, stage, device, jobs, runner::keep);
            case GATHER -> {
                Source operand = stage.gathered().source();
                yield GatherExchange.rdd(
                        context, inputs, stage, chunksOf(operand), operand.cuts(plan.settings()), device);
            }
            case CHUNKS, FOLD, SELECT, WHOLE, DRIVER ->
                ChunkRDD.ofValues(context, inputs, stage.outputs(), stage.grid(), device);
        };
        rdd.setName(title);
        return rdd;
    }

    @Override
    public void close() {
        exchanges.close();
    }
}
