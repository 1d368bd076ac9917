package io.github.broadloom.tools.commands;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorPrinter;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "eval",
        header = "Evaluates an expression over npy and npz files, distributed over Spark.",
        description = {
            "Names in EXPR are the inputs given with --in; they broadcast and promote as in PyTorch. Operators and"
                    + " their precedence are Python's, functions are those of the op table, such as where(c, a, b),"
                    + " maximum(a, b), sqrt(x).",
            "Small inputs travel once to each executor, large ones are read in chunks by the tasks. Where Spark's jars are"
                    + " not on the class path, all of it happens in this process."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} eval 'where(x > 128, 255 - x, x)' --in x=examples/data/face.npy --out out/solarised.npy",
            "  ${ROOT-COMMAND-NAME} eval '(x / 255 - m) / s' --in x=examples/data/face.npy \\",
            "      --in m=[0.485,0.456,0.406] --in s=[0.229,0.224,0.225]",
            "  ${ROOT-COMMAND-NAME} eval 'z * 3.28084' --in z=examples/data/jacksboro_fault_dem.npz:elevation --explain",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class EvalCommand extends Tool {
    /** Seconds for which nothing could be done. */
    private static final double WORTH_SAYING = 0.5;

    /** Of a longer result only the corners would be shown, and it would have to be brought here whole. */
    private static final long MOST_PRINTED_BYTES = 256L << 20;

    @Parameters(paramLabel = "EXPR", description = "The expression, in quotes: '(x - m) / s'.")
    private String expression;

    @Option(
            names = "--in",
            paramLabel = "NAME=FILE",
            converter = Binding.Converter.class,
            description =
                    "An input: a file, a store or a directory of parts of any format that info knows, FILE:KEY for one array of several, a pattern of several files, on any file system"
                            + " that Hadoop knows; a column, as table:NAME.COLUMN or FILE.parquet:COLUMN; or a number, or a list such as [0.1,0.2]. Repeat it for each name.")
    private List<Binding> inputs = List.of();

    @Option(
            names = "--out",
            paramLabel = "FILE.npy|STORE.zarr|DIR",
            description =
                    "Where the result goes: one npy or Arrow file, a Zarr store, or a directory of npy parts. Without it the result is printed.")
    private @Nullable String out;

    @Option(
            names = "--without-manifest",
            description =
                    "Read directories of parts that have no manifest, too, such as those that NumPy wrote: whether"
                            + " all parts are there is for you to know.")
    private boolean withoutManifest;

    @Option(names = "--overwrite", description = "Replace an output that exists; otherwise it is kept.")
    private boolean overwrite;

    @Option(
            names = "--explain",
            description =
                    "Print the plan: how each input travels, jobs, bytes, memory, kernels and whether they are compiled."
                            + " Without --out nothing is computed.")
    private boolean explain;

    @Option(names = "--code", description = "As --explain, with the Java source of every kernel.")
    private boolean code;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        checkNames();
        List<String> files = inputs.stream()
                .filter(input -> !input.isInline())
                .map(Binding::value)
                .toList();
        Locations.checkBeforeSpark(files, Optional.ofNullable(out), overwrite);
        if (!SparkJars.present()) {
            finish(here(spark.here()));
            return 0;
        }
        try (Sessions.Session session = spark.start(this)) {
            finish(distributed(spark.broadloom(session), session));
        }
        return 0;
    }

    /** What the expression gives, as it is explained, written and computed where it is. */
    private record Result(
            DType dtype,
            Shape shape,
            Function<Backend.Detail, String> explanation,
            Writing writing,
            Supplier<Tensor> value,
            LongToDoubleFunction waited) {}

    private interface Writing {
        void to(String out, WriteMode mode) throws IOException;
    }

    /** In this process, over files of this machine. */
    private Result here(Device device) throws IOException {
        LazyTensor any = LazyTensor.of(Tensors.scalar(0L));
        LazyTensor result = any.withExpr(parsed(
                input -> Input.of(input.read()),
                mask -> any.withExpr(mask).compute(device).to(Device.CPU)));
        return new Result(
                result.dtype(),
                result.shape(),
                detail -> result.explain(device, detail),
                (file, mode) -> {
                    Tensor value = result.compute(device).to(Device.CPU); // a failure leaves no folder
                    Files.createDirectories(Path.of(file).toAbsolutePath().getParent());
                    Npy.write(value, Path.of(file), mode);
                },
                () -> result.compute(device).to(Device.CPU),
                started -> 0);
    }

    private Result distributed(Broadloom broadloom, Sessions.Session session) throws IOException {
        ReadOptions reading =
                ReadOptions.DEFAULT.manifest(withoutManifest ? ManifestMode.OPTIONAL : ManifestMode.REQUIRED);
        DistributedTensor any = broadloom.tensor(Tensors.scalar(0L));
        Reader reader = input -> {
            Optional<Tensor> list = input.list();
            return (list.isPresent() ? broadloom.tensor(list.get()) : session.read(broadloom, input.value(), reading))
                    .expr();
        };
        DistributedTensor result = any.withExpr(parsed(reader, any::values));
        return new Result(
                result.dtype(),
                result.shape(),
                result::explain,
                (file, mode) -> Locations.write(file, mode, session.spark(), () -> result.write(file, mode)),
                () -> collected(result),
                session::secondsWithoutExecutor);
    }

    private interface Reader {
        Expr read(Binding input) throws IOException;
    }

    private Expr parsed(Reader reader, Function<Expr, Tensor> values) throws IOException {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Binding input : inputs) {
            Optional<Object> number = input.number();
            names.put(input.name(), number.isPresent() ? Expr.literal(number.get()) : reader.read(input));
        }
        return ExprParser.parse(expression, names, values);
    }

    private void finish(Result result) throws IOException {
        noteUnused();
        if (explain || code) {
            print(result.explanation.apply(code ? Backend.Detail.SOURCE : Backend.Detail.PLAN));
        }
        if (out != null) {
            long started = System.nanoTime();
            result.writing.to(out, overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE);
            String size = ByteSize.inWords(result.dtype.sizeBytes(result.shape.numel()));
            double seconds = (System.nanoTime() - started) / 1e9;
            double waited = result.waited.applyAsDouble(started);
            console()
                    .say(
                            "wrote %s: %s %s, %s in %.1f s%s",
                            out,
                            result.dtype,
                            result.shape,
                            size,
                            seconds,
                            waited < WORTH_SAYING ? "" : ", %.1f of them for want of an executor".formatted(waited));
        } else if (!explain && !code) {
            print(TensorPrinter.print(result.value.get()));
        }
    }

    private void print(String text) {
        console().out().println(text.stripTrailing());
    }

    /** A name that the expression lacks is a slip more often than not: in the expression, or in a command that grew. */
    private void noteUnused() {
        for (Binding input : inputs) {
            Pattern asName = Pattern.compile("(?<![\\w.])" + input.name() + "(?!\\w|\\s*\\()");
            if (!asName.matcher(expression).find()) {
                note("the expression does not use " + input.name());
            }
        }
    }

    private static Tensor collected(DistributedTensor result) {
        long bytes = result.dtype().sizeBytes(result.shape().numel());
        if (bytes > MOST_PRINTED_BYTES) {
            throw new UserError("Cannot print a result of " + ByteSize.inWords(bytes) + ": " + result.dtype() + " "
                    + result.shape() + "; give --out FILE.npy to keep it, or --explain to see the plan");
        }
        return result.collect();
    }

    private void checkNames() {
        Map<String, Binding> names = new HashMap<>();
        for (Binding input : inputs) {
            Binding other = names.put(input.name(), input);
            if (other != null) {
                throw new UserError("Cannot give the name " + input.name() + " twice: to " + other.value() + " and to "
                        + input.value());
            }
        }
    }
}
