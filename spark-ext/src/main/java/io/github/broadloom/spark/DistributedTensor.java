package io.github.broadloom.spark;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.cache.BlockFunction;
import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.exec.cache.Checkpoint;
import io.github.broadloom.exec.cache.MappedRDD;
import io.github.broadloom.exec.compute.PlanRunner;
import io.github.broadloom.exec.compute.Sources;
import io.github.broadloom.exec.formats.FileFormat;
import io.github.broadloom.exec.formats.FileFormats;
import io.github.broadloom.exec.metrics.RunMeter;
import io.github.broadloom.exec.write.Append;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.exec.write.TensorTable;
import io.github.broadloom.exec.write.ZarrGroup;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.fluent.InPlaceOps;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Explanation;
import io.github.broadloom.plan.ExprText;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.RunFigures;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.plan.picture.Pictures;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * A tensor on a Spark cluster, cut into chunks along its leading dimension. It is lazy: operations only build an
 * expression, and an action ({@link #collect}, {@link #writeNpy}) runs it as one fused kernel for each chunk, in one
 * Spark job. A reduction over the leading dimension that is part of a larger expression takes a job of its own, before
 * it.
 *
 * <p>The data on the cluster never changes. An in-place method such as {@link #add_} makes this handle stand for the
 * result; what was built from it before keeps the old value.
 *
 * <p>The elements are the same, bit for bit, whatever the chunks, and the same as those of the local tensor.
 */
public final class DistributedTensor implements TensorOps<DistributedTensor>, InPlaceOps<DistributedTensor> {
    private static final Planning<IOException> ROWS = (planner, value) -> planner.plan(value, Want.ROWS);

    private final Broadloom broadloom;
    private final Contents contents;
    private @Nullable String title;
    private @Nullable LastRun lastRun;

    /** What this handle stood for when it ran, and what is measured of it. */
    private record LastRun(@Nullable Expr expr, String title, Plan plan, RunMeter meter) {}

    DistributedTensor(Broadloom broadloom, Expr expr, @Nullable String title) {
        this.broadloom = broadloom;
        this.contents = new Contents(expr);
        this.title = title;
    }

    @Override
    public Expr expr() {
        return contents.expr();
    }

    @Override
    public DistributedTensor withExpr(Expr other) {
        return broadloom.of(other, null);
    }

    /** {@inheritDoc} A job brings them to the driver, which has to have the memory for them. */
    @Override
    public Tensor values(Expr other) {
        return withExpr(other).collect();
    }

    @Override
    public Expr upTo(long end) {
        return broadloom.arange(end).expr();
    }

    @Override
    public synchronized DistributedTensor overwrite(Expr value) {
        contents.replace(Expr.expand(value, shape().toArray()));
        title = null;
        return this;
    }

    /** Where the kernels run, on every executor. */
    public Device device() {
        return Device.of(broadloom.settings().device());
    }

    /** The same tensor, whose kernels run on another device, as those of what is built from it; the chunks stay where they are. */
    @Override
    public DistributedTensor to(Device target) {
        return broadloom.withDevice(target).of(expr(), describe());
    }

    /** The number of chunks that the value would have on the cluster. */
    public int chunks() {
        return plan(Want.CHUNKS).last().resultGrid().chunks();
    }

    /**
     * {@link #cache(StorageLevel)} in memory, as off-heap blocks that count at their true size, where {@code spark.memory.offHeap.size} sets
     * memory aside as much of that, else as much of the heap's share; what does not fit goes to disk.
     */
    public DistributedTensor cache() {
        return cache(StorageLevel.MEMORY_AND_DISK());
    }

    /**
     * Keeps the chunks once an action has computed them. Expressions built from this handle from now on read them
     * instead of computing them again; caching twice changes nothing. After an in-place operation the handle stands for
     * a value that is computed from the chunks; cache it again to keep that, too.
     *
     * @return this handle
     */
    public DistributedTensor cache(StorageLevel level) {
        contents.cache(expr -> keepable(expr, level));
        return this;
    }

    /**
     * The same values in chunks of another shape, for what reads or writes them so: every operation finds the cuts that it needs by itself. Nothing runs before an action;
     * then they are exchanged by Spark's shuffle, by way of other grids where there would be more than ten million pieces, each task holding a chunk.
     *
     * <pre>{@code
     * x.rechunk(-1, 10, 144);   // of [time, lat, lon] all times together
     * }</pre>
     *
     * @param chunk the sizes of a chunk, of the first dimensions; -1, and those that are not named, are the dimension's own
     * @throws IllegalArgumentException where there are more than dimensions, one is 0 or less than -1, or a chunk does not fit into a task's memory
     */
    public DistributedTensor rechunk(long... chunk) {
        Expr current = expr();
        ChunkGrid grid = ChunkGrid.ofChunkSizes(shape(), chunk);
        Plan plan = plan(current, (planner, value) -> planner.plan(value, grid));
        return broadloom.of(new CachedSource(current, plan, StorageLevel.NONE(), describe()));
    }

    /**
     * What a function makes of the chunks, for what no operation does. Tasks call it whenever they need a chunk of the result, once for each chunk of whole rows: {@link #cache} the result
     * where that is dear. Nothing runs before an action. How many rows a chunk has is the planner's choice, so that the result should not depend on it, or {@link #rechunk} comes
     * before; what memory the function takes, no plan knows.
     *
     * <pre>{@code
     * x.mapBlocks(rows -> spectra(rows), DType.FLOAT32, 129);   // of [n, 256] makes [n, 129]
     * }</pre>
     *
     * @param function takes a tensor of some rows, and gives one of as many; it is sent to the tasks
     * @param dtype of what it gives
     * @param row the sizes of what it makes of one row; none where that is a number
     * @throws IllegalArgumentException for a tensor without a dimension, and from an action, where the function gives another dtype or shape, naming the chunk
     */
    public DistributedTensor mapBlocks(BlockFunction function, DType dtype, long... row) {
        if (shape().rank() == 0) {
            throw new IllegalArgumentException(
                    "Cannot map the chunks of a tensor without a dimension; unsqueeze(0) it first");
        }
        Plan plan = plan(Want.ROW_CHUNKS);
        Shape made = Shape.of(row);
        String name = describe();
        ChunkGrid grid = ChunkGrid.of(
                made.withLeading(shape().size(0)), plan.last().resultGrid().along(0));
        return broadloom.of(CachedSource.mapped(
                dtype,
                grid,
                "mapBlocks(" + name + ")",
                plan,
                chunks -> new MappedRDD(chunks, function, dtype, made, name)));
    }

    private CachedSource keepable(Expr expr, StorageLevel level) {
        return new CachedSource(expr, plan(expr, Want.CHUNKS), level, describe());
    }

    /**
     * Computes the chunks now, in one job, and keeps them as {@link #cache()} does: for a tensor that many later actions
     * read. Chunks that are there already are not computed again.
     *
     * @return this handle
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     */
    public DistributedTensor materialize() {
        CachedSource source = contents.cache(expr -> keepable(expr, StorageLevel.MEMORY_AND_DISK()));
        @Nullable Expr computed = source.expr();
        Plan plan = source.plan().orElseGet(() -> plan(Want.CHUNKS));
        PlanRunner runner = new PlanRunner(broadloom.context());
        runner.compute(source, jobTitle("materialize"));
        ran(computed, jobTitle("materialize"), plan, runner);
        return this;
    }

    /**
     * {@link #checkpoint(Eagerness)} now.
     *
     * @return this handle
     */
    public DistributedTensor checkpoint() {
        return checkpoint(Eagerness.EAGER);
    }

    /**
     * Writes the chunks to the folder that {@code SparkContext.setCheckpointDir} names, in one job, and forgets what they were computed from: expressions
     * built from this handle from now on read the files. An iterative program calls this every few rounds, or its expressions and Spark's
     * lineage grow without bounds. Chunks that are {@linkplain #cache() cached} stay so, and are not computed again. The files outlive executors
     * and {@link #unpersist}; Spark deletes them when nobody refers to them any more, if {@code spark.cleaner.referenceTracking.cleanCheckpoints} is
     * set, and else leaves them.
     *
     * @param eagerness {@link Eagerness#LAZY} waits for the first action that needs the chunks
     * @return this handle
     * @throws IllegalStateException where no folder was named
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     */
    public DistributedTensor checkpoint(Eagerness eagerness) {
        if (broadloom.context().getCheckpointDir().isEmpty()) {
            throw new IllegalStateException(
                    "Cannot checkpoint " + describe()
                            + ": no folder is set; call SparkContext.setCheckpointDir with one that all machines reach, or use localCheckpoint()");
        }
        return checkpoint(Checkpoint.RELIABLE, StorageLevel.NONE(), eagerness);
    }

    /**
     * {@link #localCheckpoint(StorageLevel, Eagerness)} now, in memory and, where that is short, on disk.
     *
     * @return this handle
     */
    public DistributedTensor localCheckpoint() {
        return localCheckpoint(StorageLevel.MEMORY_AND_DISK(), Eagerness.EAGER);
    }

    /**
     * As {@link #checkpoint(Eagerness)}, but the executors keep the chunks, as {@link #cache(StorageLevel)} does: faster, and lost with an executor (unless the
     * level has two copies), or with {@link #unpersist}. What is lost cannot be computed again.
     *
     * @param level what does not fit goes to disk under any level; chunks that are cached already stay where they are
     * @return this handle
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     */
    public DistributedTensor localCheckpoint(StorageLevel level, Eagerness eagerness) {
        return checkpoint(Checkpoint.LOCAL, level, eagerness);
    }

    private DistributedTensor checkpoint(Checkpoint kind, StorageLevel level, Eagerness eagerness) {
        CachedSource source = contents.checkpoint(kind, expr -> keepable(expr, level));
        if (eagerness == Eagerness.EAGER) {
            new PlanRunner(broadloom.context()).checkpoint(source);
        }
        return this;
    }

    /**
     * Lets Spark forget what this handle kept. Expressions that read the chunks compute them again, or read the files of a {@link #checkpoint()}; those of a
     * {@link #localCheckpoint()} are refused.
     *
     * @return this handle
     */
    public DistributedTensor unpersist() {
        contents.unpersist();
        return this;
    }

    /**
     * The {@code k} nearest rows of another matrix to each row of this one. Which they are, and how far, is told by {@link VectorMetric#rank} in float64, whatever the dtype; of equal
     * distances the least index comes first, and NaN after all others: the same as {@code LazyTensor.nearest} gives. Every pair is looked at: tasks have all of the one side where it
     * is small enough, else they read it in blocks ({@code spark.broadloom.sql.nearestBytes}).
     *
     * <p>Runs now, once. Executors keep the chunks of both results, as {@link #materialize} does, until {@link #unpersist} is called on each, or nobody refers to them any more; what was
     * lost is computed anew.
     *
     * @param other {@code [m, d]}, where this is {@code [n, d]}; of any dtype
     * @return distances, float64, and indices, int64, both {@code [n, k]}, the nearest first
     * @throws IllegalArgumentException before any job: with PyTorch's texts, where {@code k} is more than m, or the columns differ; and where one is no matrix, or a plan cannot work
     */
    public ValuesAndIndices<DistributedTensor> nearest(TensorLike other, int k, VectorMetric metric) {
        return nearestOf(other, k, metric).computed();
    }

    /** How {@link #nearest} would run, as Spark's plan: how the other side comes to the tasks, and how pairs are scored. Nothing runs. */
    public String explainNearest(TensorLike other, int k, VectorMetric metric) {
        return nearestOf(other, k, metric).plan();
    }

    private DistributedNearest nearestOf(TensorLike other, int k, VectorMetric metric) {
        return DistributedNearest.of(broadloom, this, broadloom.of(operand(other), null), k, metric);
    }

    /**
     * The value on the driver, each chunk copied to its place as it arrives; a large one takes several jobs, so that
     * what is on its way never fills the heap.
     *
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     * @throws java.io.UncheckedIOException where a file cannot be read
     */
    public Tensor collect() {
        return act("collect", Want.VALUE, PlanRunner::collect);
    }

    /**
     * The distinct values, sorted, and how often each of them is there, on the driver. Each task finds those of its chunk. Which of them each element is, {@link
     * #inverse(UniqueValues)} tells; of values that are too many for the driver {@link #distinct}.
     *
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     */
    public UniqueValues unique() {
        return act("unique", Want.CHUNKS, PlanRunner::unique);
    }

    /**
     * The distinct slices along a dimension in the order of their elements, how often each of them is there, and which of them each slice is, on the driver. Each task finds those of its
     * chunk, which has whole slices.
     *
     * @throws IllegalArgumentException before any job: with PyTorch's text, where slices have no elements, and where the plan cannot work: the message says why and what helps
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public UniqueValues unique(int dim) {
        int along = UniqueValues.dimOfSlices(shape(), dim);
        UniqueValues rows = movedim(along, 0).act("unique", Want.ROW_CHUNKS, PlanRunner::uniqueRows);
        return rows.along(along);
    }

    /** Which of its {@linkplain #unique unique} values each element is: int64, of this shape. */
    public DistributedTensor inverse(UniqueValues unique) {
        return DistributedUnique.inverse(this, broadloom.tensor(unique.values(), 1));
    }

    /**
     * The distinct values, sorted, how often each of them is there, and which of them each element is, left on the cluster however many they are: a job puts all elements in order. Of few values
     * {@link #unique} is much faster.
     *
     * @throws IllegalArgumentException before any job, where the plan cannot work: the message says why and what helps
     */
    public DistributedUnique distinct() {
        return DistributedUnique.of(this);
    }

    /**
     * The first rows on the driver, or all where there are fewer; of a scalar, itself. No more is computed than they need.
     *
     * @throws IllegalArgumentException as {@link #collect}, and for a negative number
     */
    public Tensor head(long rows) {
        if (rows < 0) {
            throw new IllegalArgumentException("Cannot show " + rows + " rows");
        }
        return shape().rank() == 0 ? collect() : slice(0, Slice.to(rows)).collect();
    }

    /** {@link #head(long)} of five rows. */
    public Tensor head() {
        return head(5);
    }

    /**
     * Writes in the format that the end of the path names: {@code .npy}, {@code .arrow}, {@code .zarr}; a folder of npy parts where it names none. All else is as in {@link
     * #writeNpy}.
     */
    public void write(String path, WriteMode mode) throws IOException {
        FileFormat format = FileFormats.ofNew(path);
        write(
                path,
                (planner, value) -> format.plan(planner, value, path, broadloom.context()),
                result -> format.sink(path, mode, result, broadloom.context()));
    }

    /**
     * Writes a npy file where the path ends in {@code .npy}, else a folder with a file {@code part-NNNNN.npy} for each
     * chunk and a manifest of them, {@code _broadloom.json}, in any file system that Hadoop knows. It appears under its name when it is complete; where anything fails,
     * nothing new is left. Under {@link WriteMode#OVERWRITE} a folder is replaced only if it holds nothing but parts.
     *
     * @throws java.nio.file.FileAlreadyExistsException before any job, where something there has to be kept
     * @throws java.nio.file.NoSuchFileException before any job, where it would go into a local folder that does not exist
     * @throws IOException where reading or writing fails, for instance on a full disk
     */
    public void writeNpy(String path, WriteMode mode) throws IOException {
        write(
                path,
                (planner, value) -> Sink.npyPlan(planner, value, path, broadloom.context()),
                result -> Sink.npy(path, mode, result, broadloom.context()));
    }

    /**
     * Writes an Arrow file where the path ends in {@code .arrow} or {@code .feather}, else a folder with a file {@code
     * part-NNNNN.arrow} for each chunk; the column is an {@code arrow.fixed_shape_tensor}. All else is as in {@link
     * #writeNpy}.
     *
     * @throws java.nio.file.FileAlreadyExistsException before any job, where something there has to be kept
     * @throws java.nio.file.NoSuchFileException before any job, where it would go into a local folder that does not exist
     * @throws IOException where reading or writing fails, for instance on a full disk
     */
    public void writeArrow(String path, WriteMode mode) throws IOException {
        write(path, ROWS, result -> Sink.arrow(path, mode, result, broadloom.context()));
    }

    /**
     * Writes an array of Zarr, a folder. Where the options name no chunks, they are those of this tensor, as {@link #rechunk} may have made them, cut to at most 16 MiB; where they name
     * others, the tensor is computed in chunks of whole files. All else is as in {@link #writeNpy}; under {@link WriteMode#OVERWRITE} a folder is replaced only if it holds nothing but one array of Zarr.
     *
     * @throws IllegalArgumentException where the options and the tensor do not go together
     * @throws IOException as there
     */
    public void writeZarr(String path, WriteMode mode, ZarrOptions options) throws IOException {
        writeZarr(path, mode, options, null);
    }

    /** In a group where there is one. */
    void writeZarr(String path, WriteMode mode, ZarrOptions options, @Nullable ZarrGroup group) throws IOException {
        write(
                path,
                (planner, value) -> Sink.zarrPlan(planner, value, options),
                result -> Sink.zarr(path, mode, result, broadloom.context(), options, group));
    }

    /**
     * Continues an array of Zarr that is there, in the chunks, the codecs and with the attributes that it has: along {@code dim} it then has these elements behind its own.
     *
     * <p>Tasks write beside the array. When all is there, files are moved to their places, and the metadata, which tells the new shape, is replaced at last, in one step
     * where the file system can; the copies of it that groups have consolidated follow. Before that the array is as it was, whatever fails, and whoever opened it before
     * reads what it had. Chunks that were not full are written again, with what they held. Of two appends at once the later one fails.
     *
     * @param address a path, or {@code PATH:KEY}
     * @param dim the dimension along which it grows; negative ones count from the end
     * @throws IllegalArgumentException before any job, where the dtype or another size than that dimension's differs, or the plan cannot work
     * @throws IndexOutOfBoundsException where there is no such dimension
     * @throws io.github.broadloom.io.TensorFormatException before any job, where it is no array of Zarr, or one of unsigned integers that are no dtype
     * @throws java.nio.file.NoSuchFileException before any job, where there is nothing
     * @throws IOException where reading or writing fails, or another writer changed the array meanwhile
     */
    public void append(String address, int dim) throws IOException {
        Append append = FileFormats.append(address, dim, dtype(), shape(), broadloom.context());
        Expr value = append.again() == 0
                ? expr()
                : broadloom
                        .read(address)
                        .narrow(append.dim(), append.start(), append.again())
                        .concat(append.dim(), this)
                        .expr();
        write(value, "append to " + address, append::plan, append::sink);
    }

    private interface Target {
        Sink sink(Plan.Result result) throws IOException;
    }

    private void write(String path, Planning<IOException> planning, Target target) throws IOException {
        write(expr(), "write " + path, planning, target);
    }

    private void write(Expr current, String action, Planning<IOException> planning, Target target) throws IOException {
        act(current, plan(current, planning), action + ":", (runner, plan, job) -> {
            runner.write(plan, target.sink(plan.result()), job);
            return plan;
        });
    }

    private interface Action<R, E extends Exception> {
        R run(PlanRunner runner, Plan plan, String job) throws E;
    }

    /** Does something, and remembers what was measured of it. */
    private <R, E extends Exception> R act(String name, Want want, Action<R, E> action) throws E {
        Expr current = expr();
        return act(current, plan(current, want), name, action);
    }

    private <R, E extends Exception> R act(Expr current, Plan plan, String name, Action<R, E> action) throws E {
        String job = jobTitle(name);
        PlanRunner runner = new PlanRunner(broadloom.context());
        R result = action.run(runner, plan, job);
        ran(current, job, plan, runner);
        return result;
    }

    /** {@link #toDataFrame(String, String)} with the columns {@code index} and {@code value}. */
    public Dataset<Row> toDataFrame() {
        return toDataFrame("index", "value");
    }

    /** As {@link #toDataFrame(String, String)}, without the place of a row: for what does not depend on it. */
    public Dataset<Row> toDataFrame(String value) {
        return table(null, value);
    }

    /**
     * The tensor as a table: a row for each index of the leading dimension, in order, in as many partitions as there are chunks. Of a vector the value is a number, of any
     * other tensor a flat array of the row's elements in row-major order, whose column declares the shape {@code [1:]}: functions of SQL and {@link
     * Broadloom#fromDataFrame} see a tensor of that shape, and Parquet files keep it. SQL has no unsigned bytes, which become shorts, and no halves, which become
     * floats.
     *
     * <p>Lazy: each query computes the chunks that it needs, by one copy of memory for each row; what must be known before, such as a mean over all rows, the
     * first one computes for all. {@linkplain #cache() Cache} the tensor where that is dear.
     *
     * @param index the name of the column of places, from 0
     * @param value the name of the column of elements
     * @throws IllegalArgumentException for a tensor without a dimension, or whose rows are too large for Spark, and where the plan cannot work: the message says
     *     why and what helps
     */
    public Dataset<Row> toDataFrame(String index, String value) {
        return table(index, value);
    }

    private Dataset<Row> table(@Nullable String index, String value) {
        String name = describe();
        TensorTable table = new TensorTable(expr(), index, value, name);
        Plan plan = plan(table.cells(), Want.ROW_CHUNKS);
        SparkContext context = broadloom.context();
        return table.dataset(
                broadloom.session(),
                plan.last().resultGrid().chunks(),
                () -> new PlanRunner(context).leave(plan, "broadloom: make a table of " + name),
                name);
    }

    private synchronized void ran(@Nullable Expr what, String job, Plan plan, PlanRunner runner) {
        lastRun = new LastRun(what, job, plan, runner.meter());
    }

    /**
     * What the last action of this handle that succeeded was estimated to take, and what was measured: by Spark where Spark counts, and by the tasks where it
     * does not. Empty before the first one. Waits, for some milliseconds as a rule, until Spark has told of all of its jobs.
     */
    public Optional<RunReport> lastRun() {
        return ranLast().map(run -> new RunReport(run.title, run.plan, run.meter.figures()));
    }

    private synchronized Optional<LastRun> ranLast() {
        return Optional.ofNullable(lastRun);
    }

    /**
     * What an action would do, without doing it, as a tree: for each operand its strategy with the reason, and under it the stage that computes it; the bytes that
     * are broadcast, jobs, stages and tasks, the memory that a task needs, kernels and device. Where an action of this handle ran that very expression, what was measured
     * stands beside the estimates ({@link #lastRun()}). Whether a kernel is compiled already, and the figures of the kernel cache, are those of this process: with a
     * local master the tasks', too.
     */
    public String explain() {
        return explain(Backend.Detail.PLAN);
    }

    /** As {@link #explain()}, with the source of the kernels if wanted. */
    public String explain(Backend.Detail detail) {
        Expr current = expr();
        Optional<RunFigures> measured =
                ranLast().filter(run -> run.expr == current).map(run -> run.meter.figures());
        return Explanation.of(plan(current, Want.VALUE), detail, measured);
    }

    /**
     * The plan as a picture, for a file or a page: each stage with its operands at their places in the chunk grid, coloured by strategy, and which blocks of them one
     * task reads; of a tensor that is only read, its chunks. Well-formed, for light and dark ground. Nothing runs.
     *
     * @throws IllegalArgumentException where the plan cannot work: the message says why and what helps
     */
    public String toSvg() {
        return Pictures.svg(plan(Want.VALUE));
    }

    /**
     * What the tensor is, its chunks, and {@linkplain #toSvg() how it is computed}, as a piece of a page; where it cannot be computed, why. Nothing runs.
     *
     * <p>Notebooks of almond, Apache Toree and BeakerX show it by themselves once {@link Broadloom#on} was called in them. Elsewhere a word does: {@code
     * display(y.toHtml(), "text/html")} with the Java kernels IJava and JJava, {@code display("html", y.toHtml())} with Rapaio's, {@code HTML(y.toHtml())} with Kotlin's, {@code
     * println("%html " + y.toHtml())} in Apache Zeppelin, {@code displayHTML(y.toHtml())} on Databricks.
     */
    public String toHtml() {
        try {
            return Pictures.html(describe(), plan(Want.VALUE), explain());
        } catch (IllegalArgumentException | IllegalStateException refused) {
            return Pictures.refused(describe(), dtype(), shape(), String.valueOf(refused.getMessage()));
        }
    }

    private Plan plan(Want want) {
        return plan(expr(), want);
    }

    private Plan plan(Expr current, Want want) {
        return plan(current, (planner, value) -> planner.plan(value, want));
    }

    private <E extends Exception> Plan plan(Expr current, Planning<E> planning) throws E {
        return planning.plan(broadloom.planner(), Sources.resolve(Sources.requireReadable(current)));
    }

    /** What a plan has to leave. */
    private interface Planning<E extends Exception> {
        Plan plan(Planner planner, Expr value) throws E;
    }

    private String jobTitle(String action) {
        return "broadloom: " + (title == null ? action + " " + describe() : "eval " + title);
    }

    private String describe() {
        return title != null ? title : ExprText.of(Sources.resolve(expr()));
    }

    /** Its expression, dtype, shape and chunks; nothing runs, and nothing is refused. */
    @Override
    public String toString() {
        String cuts;
        try {
            cuts = "chunks=" + chunks();
        } catch (IllegalArgumentException | IllegalStateException refused) {
            cuts = "cannot be computed";
        }
        return "DistributedTensor(" + describe() + ", dtype=" + dtype() + ", shape=" + shape() + ", " + cuts + ")";
    }
}
