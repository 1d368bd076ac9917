package io.github.broadloom.spark;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.exec.SparkVersion;
import io.github.broadloom.exec.compute.PlanRunner;
import io.github.broadloom.exec.compute.Sources;
import io.github.broadloom.exec.formats.FileFormats;
import io.github.broadloom.exec.formats.JointWriting;
import io.github.broadloom.exec.formats.ManyFiles;
import io.github.broadloom.exec.jobs.SessionSettings;
import io.github.broadloom.exec.jobs.Survey;
import io.github.broadloom.exec.read.ArrowSources;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.NpySources;
import io.github.broadloom.exec.read.TableSource;
import io.github.broadloom.exec.write.Writing;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.fluent.Arguments;
import io.github.broadloom.expr.fluent.NamedTensor;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Explanation;
import io.github.broadloom.plan.ExprText;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Tensors on a Spark session.
 *
 * <pre>{@code
 * Broadloom broadloom = Broadloom.on(spark);
 * DistributedTensor x = broadloom.readNpy("hdfs:/photos.npy");            // float32 [60000, 3, 224, 224]
 * broadloom.eval("x - mean(x, 0)", Map.of("x", x)).writeNpy("hdfs:/centred", WriteMode.CREATE);
 * }</pre>
 *
 * <p>A value: the methods that change a setting return another one, and a tensor keeps the settings that it was made with.
 */
public final class Broadloom extends Creation {
    private final SparkSession session;
    private final Settings settings;

    private Broadloom(SparkSession session, Settings settings) {
        this.session = session;
        this.settings = settings;
    }

    /**
     * Broadloom on a session, with what its configuration says: {@code spark.broadloom.device}, {@code spark.broadloom.chunkBytes} and the others that {@code docs/configuration.md}
     * lists.
     *
     * @throws IllegalArgumentException where a setting has a value that it cannot have, naming it
     * @throws IllegalStateException on another Spark than 4.0 to 4.2, naming it
     */
    public static Broadloom on(SparkSession session) {
        SparkVersion.check();
        Notebooks.attach();
        return new Broadloom(session, SessionSettings.of(session));
    }

    /** The off-heap memory that this application's JVMs hold and pool, and how often memory was used again. On a cluster a short job asks the executors. */
    public ClusterMemory memory() {
        return new ClusterMemory(Survey.memory(context()));
    }

    /**
     * Refuses a device that tasks do not find: with a local master this JVM is asked, on a cluster a short job asks the executors.
     *
     * @throws IllegalStateException with the reason, naming the executor
     */
    public void requireDevice() {
        Survey.requireDevice(context(), Device.of(settings.device()));
    }

    /** The session. */
    public SparkSession session() {
        return session;
    }

    /**
     * Cuts tensors into chunks of about this many bytes, where nothing else decides: the rows of a chunk are a power of
     * two, and never less than one.
     */
    public Broadloom withChunkBytes(long bytes) {
        return new Broadloom(session, settings.withChunkBytes(bytes));
    }

    /** Copies operands of up to this many bytes to every executor; by default 512 MiB. */
    public Broadloom withReplicateBytes(long bytes) {
        return new Broadloom(session, settings.withReplicateBytes(bytes));
    }

    /**
     * Sends operands that are copied to every executor in pieces of about this many bytes; by default 32 MiB. Spark has a piece on the heap of the driver, and of each
     * executor, while it is sent.
     */
    public Broadloom withPieceBytes(long bytes) {
        return new Broadloom(session, settings.withPieceBytes(bytes));
    }

    /**
     * Lets tasks join the partial results of a fold before they come to the driver, where they come to more than that; by default 32 MiB, and less where the driver's heap
     * is below 512 MiB or {@code spark.driver.maxResultSize} is smaller.
     */
    public Broadloom withDriverBytes(long bytes) {
        return new Broadloom(session, settings.withDriverBytes(bytes));
    }

    /**
     * Refuses plans of which a task is estimated to hold more than that, and makes blocks small enough for it where they are cut freely. At first a task's part of the memory that
     * {@code broadloom.memory.limit} allows its JVM, which on a cluster's executors is what Spark's configuration grants them beside the heap; with a local master nothing is refused for want of memory where
     * nobody set that limit.
     */
    public Broadloom withTaskBytes(long bytes) {
        return new Broadloom(session, settings.withTaskBytes(bytes));
    }

    /** Runs kernels on that device of every executor: {@code cuda} is the GPU that Spark gave a task, {@link Device#AUTO} whatever takes less time for a chunk. */
    public Broadloom withDevice(Device device) {
        return new Broadloom(session, settings.withDevice(device.toString()));
    }

    /**
     * A local tensor, cut by bytes. It is neither copied nor sent before an action needs it: an action refuses a tensor
     * that was written to meanwhile.
     */
    public DistributedTensor tensor(Tensor tensor) {
        return of(new LocalSource(tensor.to(Device.CPU), null, "tensor"));
    }

    /**
     * A local tensor in exactly {@code chunks} chunks along its leading dimension: one for each row where it has fewer
     * rows, and a single one where it has no dimension.
     *
     * @throws IllegalArgumentException for less than one chunk
     */
    public DistributedTensor tensor(Tensor tensor, int chunks) {
        RowGrid rows = RowGrid.ofChunks(tensor.rank() == 0 ? 1 : tensor.shape().size(0), chunks);
        return of(new LocalSource(tensor.to(Device.CPU), ChunkGrid.of(tensor.shape(), rows), "tensor"));
    }

    /**
     * Whatever array lies there: a npy or Arrow file, a folder of parts, a Zarr store, a NetCDF or HDF5 file, a picture or a folder of them, safetensors; the end of the
     * path tells the format, or what lies there. One array of several is named behind a colon, and a pattern means several files, one after the other along the leading
     * dimension:
     *
     * <pre>{@code
     * broadloom.read("era5.zarr:temperature");     // float32 [time, lat, lon]; a task reads the chunks that it needs
     * broadloom.read("hdfs:///days/2024-*.nc:t");
     * }</pre>
     *
     * @throws io.github.broadloom.io.TensorFormatException where nobody knows its format, it is damaged, holds several arrays and none is named, or a file does not continue
     *     the first
     * @throws java.nio.file.NoSuchFileException where there is nothing
     */
    public DistributedTensor read(String address) throws IOException {
        return read(address, ReadOptions.DEFAULT);
    }

    /** As {@link #read(String)}, with the format, the dimension along which several files are joined, or a folder without a manifest. */
    public DistributedTensor read(String address, ReadOptions options) throws IOException {
        return of(FileFormats.open(address, options, context(), settings));
    }

    /** As {@link #read(String, ReadOptions)}, of several files in this order. */
    public DistributedTensor read(List<String> addresses, ReadOptions options) throws IOException {
        return of(ManyFiles.of(addresses, options, context(), settings));
    }

    /**
     * An array with the names that its dimensions have in a file of Zarr, NetCDF or HDF5, and the coordinates that lie beside it: vectors of the names of dimensions.
     *
     * <pre>{@code
     * NamedTensor<DistributedTensor> t = broadloom.readNamed("era5.zarr:t2m");
     * t.groupBy("time.month").sub(t.groupBy("time.month").mean());
     * }</pre>
     *
     * @param address one file or store
     * @throws io.github.broadloom.io.TensorFormatException as {@link #read(String)}, and where its dimensions have no names
     * @throws java.nio.file.NoSuchFileException where there is nothing
     */
    public NamedTensor<DistributedTensor> readNamed(String address) throws IOException {
        return NamedFiles.read(this, address);
    }

    /**
     * Writes a group of Zarr, {@code out.zarr:t2m}, in which the array lies beside its coordinates, as xarray and {@link #readNamed} read it. All else is as in {@link
     * DistributedTensor#writeZarr}; under {@link WriteMode#OVERWRITE} a folder is replaced only if it holds these arrays and no others.
     *
     * @param address {@code .zarr}; the array is called {@code data}, or what stands behind a colon
     * @throws IOException as there
     */
    public void writeNamed(NamedTensor<DistributedTensor> x, String address, WriteMode mode) throws IOException {
        writeNamed(x, address, mode, ZarrOptions.DEFAULT);
    }

    /** As {@link #writeNamed(NamedTensor, String, WriteMode)}, with chunks, compression and attributes; the names of dimensions are those of the tensor. */
    public void writeNamed(NamedTensor<DistributedTensor> x, String address, WriteMode mode, ZarrOptions options)
            throws IOException {
        NamedFiles.write(x, address, mode, options);
    }

    /**
     * A npy file, a folder of parts that {@link DistributedTensor#writeNpy} made, or one array of an archive as {@code
     * FILE.npz:KEY}, in any file system that Hadoop knows. The header or the folder's manifest, and the files' lengths, are
     * checked now; the elements are read by the tasks, each reading its own rows, and a part that is read whole is held against its checksum. An archive is read now, on
     * the driver.
     *
     * @throws io.github.broadloom.io.TensorFormatException where it is not such a file, or not a whole one; a folder without a manifest is refused, as nobody can tell
     *     whether it is whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    public DistributedTensor readNpy(String path) throws IOException {
        return readNpy(path, ManifestMode.REQUIRED);
    }

    /**
     * As {@link #readNpy(String)}, also of a folder of {@code part-NNNNN.npy} files that something else wrote: where it has no manifest, all headers are read now.
     *
     * @throws io.github.broadloom.io.TensorFormatException as there, and where parts do not continue each other
     */
    public DistributedTensor readNpy(String path, ManifestMode mode) throws IOException {
        return of(NpySources.open(path, context(), settings, mode));
    }

    /**
     * An Arrow IPC file or stream, or a folder of parts that {@link DistributedTensor#writeArrow} made, in any file
     * system that Hadoop knows. The places of a file's record batches are found now, and a folder's manifest is read; the batches are read by the tasks, and
     * the chunks are cut between them, or between the parts.
     *
     * @throws io.github.broadloom.io.TensorFormatException where it is not such a file, or not a whole one; a folder without a manifest is refused, as nobody can tell
     *     whether it is whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    public DistributedTensor readArrow(String path) throws IOException {
        return readArrow(path, ManifestMode.REQUIRED);
    }

    /**
     * As {@link #readArrow(String)}, also of a folder of {@code part-NNNNN.arrow} files that something else wrote: where it has no manifest, the batches of all files are
     * found now.
     *
     * @throws io.github.broadloom.io.TensorFormatException as there, and where parts do not continue each other
     */
    public DistributedTensor readArrow(String path, ManifestMode mode) throws IOException {
        return of(ArrowSources.open(path, context(), settings, mode));
    }

    /**
     * One column of a table, {@code [rows, …the shape of a cell]}, in the order in which the table has its rows: Spark gives that no meaning unless it was sorted; {@link
     * #fromDataFrame(Dataset, String, String)} orders it. A cell is a number,
     * an array nested as deep as the cells have dimensions, or a flat array whose shape the column's metadata declares. Each partition is a chunk. Now a job
     * counts the rows, but of a table that Spark has in memory, whose rows it knows; each action reads the cells anew, by one copy of memory a row, so cache a table that is not cheap to make.
     *
     * @throws IllegalArgumentException naming the column, where there is none of that name, or it holds no numbers, or cells of different shapes
     */
    public DistributedTensor fromDataFrame(Dataset<Row> table, String column) {
        return of(TableSource.of(table, column, null));
    }

    /**
     * As {@link #fromDataFrame(Dataset, String)}, the rows in the ascending order of another column: numbers, strings, dates, timestamps, whatever Spark can order. Spark
     * sorts the table once, now.
     *
     * @param order tells every row from the others, so that the tensor is the same whenever it is read
     * @throws IllegalArgumentException as there, and where a row has no such value (null), or two rows have the same
     */
    public DistributedTensor fromDataFrame(Dataset<Row> table, String column, String order) {
        return of(TableSource.of(table, column, order));
    }

    /**
     * The value of an expression such as {@code where(x > m, (x - m) / s, 0.1 * x)}.
     *
     * @param names by the names that the expression uses, what operators take: a {@link DistributedTensor}, a {@link Tensor} of this JVM, a {@code LazyTensor}, a
     *     Number or a Boolean
     * @throws IllegalArgumentException where it is no expression, with a caret under the place, or its shapes do not
     *     broadcast, with PyTorch's text; and for a name of anything else
     */
    public DistributedTensor eval(String expression, Map<String, ?> names) {
        return of(parsed(expression, operands(names)), expression);
    }

    /**
     * The values of several expressions, of which a later one may use those before by their names. What they have in common {@link #collectAll} and {@link #writeAll} read and compute
     * once:
     *
     * <pre>{@code
     * Map<String, String> texts = new LinkedHashMap<>();
     * texts.put("mean", "mean(x, 0)");
     * texts.put("scaled", "(x - mean) / std(x, 0)");
     * Map<String, DistributedTensor> y = broadloom.evalAll(texts, Map.of("x", x));
     * broadloom.writeAll(Map.of("mean.npy", y.get("mean"), "scaled.npy", y.get("scaled")), WriteMode.CREATE);
     * }</pre>
     *
     * @param expressions by the names of their values, in their order
     * @return by these names, in this order
     * @throws IllegalArgumentException as {@link #eval}, and where a value is to have the name of an operand
     */
    public Map<String, DistributedTensor> evalAll(Map<String, String> expressions, Map<String, ?> names) {
        Map<String, Expr> exprs = operands(names);
        Map<String, DistributedTensor> values = new LinkedHashMap<>();
        expressions.forEach((name, expression) -> {
            Expr value = parsed(expression, exprs);
            if (exprs.put(name, value) != null) {
                throw new IllegalArgumentException(
                        "Cannot call the value of '" + expression + "' " + name + ": an operand has that name");
            }
            values.put(name, of(value, expression));
        });
        return values;
    }

    private Map<String, Expr> operands(Map<String, ?> names) {
        Map<String, Expr> exprs = new LinkedHashMap<>();
        names.forEach((name, operand) -> exprs.put(
                name, Sources.named(Arguments.of(operand instanceof Tensor local ? tensor(local) : operand), name)));
        return exprs;
    }

    /** The expression that a text says; of what decides a shape the elements are collected. */
    Expr parsed(String text, Map<String, Expr> names) {
        return ExprParser.parse(text, names, decisive -> of(decisive, null).collect());
    }

    /**
     * The values of several tensors on the driver, by one plan: what they have in common is read and computed once, and reductions over equally many rows share one pass. {@code
     * broadloom.collectAll(u.square().mean(0), v.square().mean(0), u.mul(v).mean(0))} reads {@code u} and {@code v} once.
     *
     * @return in the order of the tensors
     * @throws IllegalArgumentException as {@link DistributedTensor#collect}
     */
    public List<Tensor> collectAll(DistributedTensor... tensors) {
        List<Expr> values = values(List.of(tensors));
        return values.isEmpty()
                ? List.of()
                : new PlanRunner(context())
                        .collectAll(planner().plan(values, Want.VALUE), "broadloom: collect " + texts(values));
    }

    /**
     * Writes several tensors by one plan: what they have in common is read and computed once. The end of each path names its
     * format, as in {@link DistributedTensor#write}. Only when all of them are there they get their names, one after the other: what fails before leaves none of them.
     *
     * <pre>{@code
     * broadloom.writeAll(Map.of("low.npy", x.amin(0), "high.npy", x.amax(0)), WriteMode.CREATE);   // reads x once
     * }</pre>
     *
     * @param tensors by the paths where they are going to be
     * @throws IllegalArgumentException before any job, where two paths are the same file, or the plan cannot work
     * @throws IOException as {@link DistributedTensor#write}
     */
    public void writeAll(Map<String, DistributedTensor> tensors, WriteMode mode) throws IOException {
        Map<String, Expr> values = new LinkedHashMap<>();
        List<Expr> exprs = values(List.copyOf(tensors.values()));
        int next = 0;
        for (String path : tensors.keySet()) {
            values.put(path, exprs.get(next++));
        }
        if (!values.isEmpty()) {
            List<Writing> writings = JointWriting.of(planner(), values, mode, context());
            new PlanRunner(context()).write(writings, "broadloom: write " + String.join(", ", tensors.keySet()));
        }
    }

    /** What {@link #collectAll} of these tensors would do, as {@link DistributedTensor#explain()} tells it of one. */
    public String explainAll(DistributedTensor... tensors) {
        return explainAll(List.of(tensors), Backend.Detail.PLAN);
    }

    /** As {@link #explainAll(DistributedTensor...)}, with the source of the kernels if wanted. */
    public String explainAll(List<DistributedTensor> tensors, Backend.Detail detail) {
        return Explanation.of(planner().plan(values(tensors), Want.VALUE), detail);
    }

    private static List<Expr> values(List<DistributedTensor> tensors) {
        return tensors.stream()
                .map(tensor -> Sources.resolve(Sources.requireReadable(tensor.expr())))
                .toList();
    }

    private static String texts(List<Expr> values) {
        return values.stream().map(ExprText::of).collect(Collectors.joining(", "));
    }

    Planner planner() {
        return new Planner(settings);
    }

    /**
     * A table with more columns, each the value of an expression over the cells of a row. With the SQL extension in the session they are computed in one pass over batches of
     * rows, on the session's device, where a cell is an array: each input is read once, for all expressions. Without the extension, to the same bits, row by row.
     *
     * @param inputs columns of the table by the names that the expressions use
     * @param outputs expressions by the names of the new columns, in their order; a column that has the name is replaced
     * @throws IllegalArgumentException where a name is none of the inputs, or an input is none of the columns; what is no expression, or does not fit the columns, Spark
     *     refuses with an {@code AnalysisException}
     */
    public Dataset<Row> mapBatches(Dataset<Row> table, Map<String, String> inputs, Map<String, String> outputs) {
        return RowExpressions.of(table, inputs).compute(outputs);
    }

    @Override
    DistributedTensor of(Source source) {
        Optional<Boolean> warned = BroadcastWarning.SETTING.inSpark(SparkSettings.in(session.conf()));
        return of(Input.of(source, source.dtype(), source.shape()).warned(warned.orElse(null)), null);
    }

    DistributedTensor of(Expr expr, @Nullable String title) {
        return new DistributedTensor(this, expr, title);
    }

    Settings settings() {
        return settings;
    }

    SparkContext context() {
        return session.sparkContext();
    }
}
