package io.github.broadloom.tools.commands;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprParser;
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
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Evaluates one expression over arrays in files, distributed over Spark. */
@Command(
        name = "eval",
        header = "Evaluates an expression over npy and npz files, distributed over Spark.",
        description = {
            "",
            "Names in EXPR are the inputs given with --in; they broadcast and promote as in PyTorch. Operators and"
                    + " their precedence are Python's, functions are those of the op table, such as where(c, a, b),"
                    + " maximum(a, b), sqrt(x).",
            "Small inputs travel once to each executor, large ones are read in chunks by the tasks. Where Spark's jars are"
                    + " not on the class path, all of it happens in this process.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} eval 'where(x > 128, 255 - x, x)' --in x=examples/data/face.npy --out out/solarised.npy",
            "  ${ROOT-COMMAND-NAME} eval '(x / 255 - m) / s' --in x=examples/data/face.npy \\",
            "      --in m=[0.485,0.456,0.406] --in s=[0.229,0.224,0.225]",
            "  ${ROOT-COMMAND-NAME} eval 'z * 3.28084' --in z=examples/data/jacksboro_fault_dem.npz:elevation --explain",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class EvalCommand implements Callable<Integer> {
    /** Of a longer result only the corners would be shown, and it would have to be brought here whole. */
    private static final long MOST_PRINTED_BYTES = 256L << 20;

    @Parameters(paramLabel = "EXPR", description = "The expression, in quotes: '(x - m) / s'.")
    @SuppressWarnings("NullAway.Init") // picocli requires it
    private String expression;

    @Option(
            names = "--in",
            paramLabel = "NAME=FILE",
            converter = Binding.Converter.class,
            description = "An input: a .npy file, a directory of parts, one array of a FILE.npz:KEY, on any file system"
                    + " that Hadoop knows; or a number, or a list such as [0.1,0.2]. Repeat it for each name.")
    private List<Binding> inputs = List.of();

    @Option(
            names = "--out",
            paramLabel = "FILE.npy|DIR",
            description =
                    "Where the result goes: one npy file, or a directory of parts. Without it the result is printed.")
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
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private SparkOptions spark;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        checkNames();
        List<String> files = inputs.stream()
                .filter(input -> !input.isInline())
                .map(Binding::value)
                .toList();
        Locations.checkBeforeSpark(files, Optional.ofNullable(out), overwrite);
        if (!SparkJars.present()) {
            evaluateHere(spark.here());
            return 0;
        }
        try (Sessions.Session session = spark.start("eval")) {
            evaluate(spark.broadloom(session), session);
        }
        return 0;
    }

    /** In this process, over files of this machine. */
    private void evaluateHere(Device device) throws IOException {
        LazyTensor result = LocalInputs.parse(expression, inputs);
        noteUnused();
        if (explain || code) {
            print(result.explain(device, detail()));
        }
        if (out != null) {
            long started = System.nanoTime();
            Path file = Path.of(out);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Tensor computed = result.eval(device).to(Device.CPU);
            Npy.write(computed, file, overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE);
            wrote(computed.dtype(), computed.shape(), started);
        } else if (!explain && !code) {
            print(TensorPrinter.print(result.eval(device).to(Device.CPU)));
        }
    }

    private void evaluate(Broadloom broadloom, Sessions.Session session) throws IOException {
        DistributedTensor result = result(broadloom);
        noteUnused();
        if (explain || code) {
            print(result.explain(detail()));
        }
        if (out != null) {
            long started = System.nanoTime();
            WriteMode mode = overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE;
            Locations.prepareOutput(out, mode, session.spark());
            result.writeNpy(out, mode);
            wrote(result.dtype(), result.shape(), started);
        } else if (!explain && !code) {
            print(collected(result));
        }
    }

    private Backend.Detail detail() {
        return code ? Backend.Detail.SOURCE : Backend.Detail.PLAN;
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text.stripTrailing());
    }

    private void wrote(DType dtype, Shape shape, long started) {
        String size = ByteSize.inWords(dtype.sizeBytes(shape.numel()));
        double seconds = (System.nanoTime() - started) / 1e9;
        print(String.format(Locale.ROOT, "wrote %s: %s %s, %s in %.1f s", out, dtype, shape, size, seconds));
    }

    private DistributedTensor result(Broadloom broadloom) throws IOException {
        Map<String, Expr> names = new LinkedHashMap<>();
        ManifestMode manifest = withoutManifest ? ManifestMode.OPTIONAL : ManifestMode.REQUIRED;
        Optional<DistributedTensor> any = Optional.empty();
        for (Binding input : inputs) {
            Optional<Object> number = input.number();
            if (number.isPresent()) {
                names.put(input.name(), Expr.literal(number.get()));
                continue;
            }
            Optional<Tensor> list = input.list();
            DistributedTensor tensor =
                    list.isPresent() ? broadloom.tensor(list.get()) : broadloom.readNpy(input.value(), manifest);
            names.put(input.name(), tensor.expr());
            any = Optional.of(tensor);
        }
        Expr parsed = ExprParser.parse(expression, names);
        return any.orElseGet(() -> broadloom.tensor(Tensors.scalar(0L))).withExpr(parsed);
    }

    /** A name that the expression lacks is a slip more often than not: in the expression, or in a command that grew. */
    private void noteUnused() {
        for (Binding input : inputs) {
            Pattern asName = Pattern.compile("(?<![\\w.])" + input.name() + "(?!\\w|\\s*\\()");
            if (!asName.matcher(expression).find()) {
                spec.commandLine().getErr().println("broadloom: note: the expression does not use " + input.name());
            }
        }
    }

    private static String collected(DistributedTensor result) {
        long bytes = result.dtype().sizeBytes(result.shape().numel());
        if (bytes > MOST_PRINTED_BYTES) {
            throw new UserError("Cannot print a result of " + ByteSize.inWords(bytes) + ": " + result.dtype() + " "
                    + result.shape() + "; give --out FILE.npy to keep it, or --explain to see the plan");
        }
        return TensorPrinter.print(result.collect());
    }

    private void checkNames() {
        for (int i = 0; i < inputs.size(); i++) {
            for (int j = i + 1; j < inputs.size(); j++) {
                if (inputs.get(i).name().equals(inputs.get(j).name())) {
                    throw new UserError("Cannot give the name " + inputs.get(i).name() + " twice: to "
                            + inputs.get(i).value() + " and to " + inputs.get(j).value());
                }
            }
        }
    }
}
