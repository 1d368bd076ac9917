package io.github.broadloom.tools.commands;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorPrinter;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.commands.Program.Statement;
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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "eval",
        header = "Evaluates expressions over files, distributed over Spark.",
        description = {
            "Names in EXPR are the inputs given with --in; they broadcast and promote as in PyTorch. Operators and"
                    + " their precedence are Python's, functions are those of the op table, such as where(c, a, b),"
                    + " maximum(a, b), sqrt(x).",
            "Small inputs travel once to each executor, large ones are read in chunks by the tasks. What is small altogether"
                    + " is computed in this process, before Spark would have started, unless --master or another"
                    + " option of Spark's says where; so is everything where Spark's jars are not on the class path."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} eval 'where(x > 128, 255 - x, x)' --in x=examples/data/face.npy --out out/solarised.npy",
            "  ${ROOT-COMMAND-NAME} eval '(x / 255 - m) / s' --in x=examples/data/face.npy \\",
            "      --in m=[0.485,0.456,0.406] --in s=[0.229,0.224,0.225]",
            "  ${ROOT-COMMAND-NAME} eval 'm = mean(x / 255, (0, 1))' 'y = x / 255 - m' --in x=examples/data/face.npy \\",
            "      --out m=out/mean.npy --out y=out/centred.npy",
            "  ${ROOT-COMMAND-NAME} eval 'z * 3.28084' --in z=examples/data/jacksboro_fault_dem.npz:elevation --explain",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class EvalCommand extends Tool {
    /** Seconds for which nothing could be done. */
    private static final double WORTH_SAYING = 0.5;

    /** The most that is read, that is made on the way, and that comes out, where this process does it by itself. */
    private static final long SMALL_BYTES = 64L << 20;

    /** Of a longer result only the corners would be shown, and it would have to be brought here whole. */
    private static final long MOST_PRINTED_BYTES = 256L << 20;

    @Parameters(
            paramLabel = "EXPR",
            arity = "1..*",
            description =
                    "The expression, in quotes: '(x - m) / s'. Of several each has a name, 'm = mean(x, 0)', and those behind it may use that.")
    private List<String> expressions;

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
            paramLabel = "[NAME=]FILE.npy|STORE.zarr|DIR",
            description =
                    "Where the result goes: one npy or Arrow file, a Zarr store, or a directory of npy parts; of several expressions, that of the one called NAME. Repeat it for each."
                            + " What they have in common is read and computed once. Without it results are printed.")
    private List<String> outs = List.of();

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
        Program program = Program.parse(
                expressions, outs, inputs.stream().map(Binding::name).collect(Collectors.toSet()));
        List<String> files = inputs.stream()
                .filter(input -> !input.isInline())
                .map(Binding::value)
                .toList();
        Locations.checkBeforeSpark(files, List.copyOf(program.files().keySet()), overwrite);
        boolean withSpark = SparkJars.present();
        if (!withSpark || readsLittle(program, files)) {
            Here here = here(program, withSpark ? Device.CPU : spark.here());
            if (!withSpark || here.makesLittle()) {
                finish(program, here);
                return 0;
            }
        }
        try (Sessions.Session session = spark.start(this)) {
            finish(program, distributed(program, spark.broadloom(session), session));
        }
        return 0;
    }

    /** Whether nobody asks for Spark, and the inputs are ordinary files of this machine, small ones, as the outputs are. */
    private boolean readsLittle(Program program, List<String> files) throws IOException {
        if (explain
                || code
                || !spark.isLeftOpen()
                || !program.files().keySet().stream().allMatch(EvalCommand::isNpyHere)) {
            return false;
        }
        long bytes = 0;
        for (String file : files) {
            if (!Locations.isFileHere(file)) {
                return false;
            }
            StoredArray array = Address.of(file).open();
            bytes += array.dtype().sizeBytes(array.shape().numel());
        }
        return bytes <= SMALL_BYTES;
    }

    private static boolean isNpyHere(String out) {
        return out.endsWith(".npy") && Locations.isLocal(out);
    }

    /** What the expressions give, where it is computed. */
    private interface Results {
        String explain(List<Statement> of, Backend.Detail detail);

        List<Tensor> values(List<Statement> of);

        void write(Map<String, Statement> files, WriteMode mode) throws IOException;

        /** Seconds for which nothing could be done. */
        double waited(long started);

        Expr expr(Statement statement);
    }

    /** In this process, over files of this machine. */
    private record Here(Map<Statement, Expr> exprs, Device device) implements Results {
        private static LazyTensor lazy(Expr expr) {
            return LazyTensor.of(Tensors.scalar(0L)).withExpr(expr);
        }

        static Tensor compute(Expr expr, Device device) {
            return lazy(expr).compute(device).to(Device.CPU);
        }

        /** Whether no value on the way is large. */
        boolean makesLittle() {
            return exprs.values().stream()
                    .flatMap(expr -> expr.postOrder().stream())
                    .allMatch(value -> value.dtype().sizeBytes(value.shape().numel()) <= SMALL_BYTES);
        }

        @Override
        public String explain(List<Statement> of, Backend.Detail detail) {
            return of.stream()
                    .map(statement -> lazy(expr(statement)).explain(device, detail))
                    .collect(Collectors.joining("\n"));
        }

        @Override
        public List<Tensor> values(List<Statement> of) {
            return of.stream()
                    .map(statement -> compute(expr(statement), device))
                    .toList();
        }

        @Override
        public void write(Map<String, Statement> files, WriteMode mode) throws IOException {
            List<Tensor> values = values(List.copyOf(files.values())); // a failure leaves no folder
            Iterator<Tensor> next = values.iterator();
            for (String file : files.keySet()) {
                Files.createDirectories(Path.of(file).toAbsolutePath().getParent());
                Npy.write(next.next(), Path.of(file), mode);
            }
        }

        @Override
        public double waited(long started) {
            return 0;
        }

        @Override
        public Expr expr(Statement statement) {
            return Objects.requireNonNull(exprs.get(statement));
        }
    }

    private Here here(Program program, Device device) throws IOException {
        Map<String, Expr> names = names(input -> Input.of(input.read()));
        return new Here(program.values(names, mask -> Here.compute(mask, device)), device);
    }

    private record OnSpark(Map<Statement, DistributedTensor> tensors, Broadloom broadloom, Sessions.Session session)
            implements Results {
        private DistributedTensor[] tensors(List<Statement> of) {
            return of.stream().map(tensors::get).toArray(DistributedTensor[]::new);
        }

        @Override
        public String explain(List<Statement> of, Backend.Detail detail) {
            return broadloom.explainAll(List.of(tensors(of)), detail);
        }

        @Override
        public List<Tensor> values(List<Statement> of) {
            return broadloom.collectAll(tensors(of));
        }

        @Override
        public void write(Map<String, Statement> files, WriteMode mode) throws IOException {
            Map<String, DistributedTensor> values = new LinkedHashMap<>();
            files.forEach((file, statement) -> values.put(file, Objects.requireNonNull(tensors.get(statement))));
            Locations.write(List.copyOf(files.keySet()), mode, session.spark(), () -> broadloom.writeAll(values, mode));
        }

        @Override
        public double waited(long started) {
            return session.secondsWithoutExecutor(started);
        }

        @Override
        public Expr expr(Statement statement) {
            return Objects.requireNonNull(tensors.get(statement)).expr();
        }
    }

    private Results distributed(Program program, Broadloom broadloom, Sessions.Session session) throws IOException {
        ReadOptions reading =
                ReadOptions.DEFAULT.manifest(withoutManifest ? ManifestMode.OPTIONAL : ManifestMode.REQUIRED);
        DistributedTensor any = broadloom.tensor(Tensors.scalar(0L));
        Map<String, Expr> names = names(input -> {
            Optional<Tensor> list = input.list();
            return (list.isPresent() ? broadloom.tensor(list.get()) : session.read(broadloom, input.value(), reading))
                    .expr();
        });
        Map<Statement, DistributedTensor> tensors = new LinkedHashMap<>();
        program.values(names, any::values).forEach((statement, expr) -> tensors.put(statement, any.withExpr(expr)));
        return new OnSpark(tensors, broadloom, session);
    }

    private interface Reader {
        Expr read(Binding input) throws IOException;
    }

    private Map<String, Expr> names(Reader reader) throws IOException {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Binding input : inputs) {
            Optional<Object> number = input.number();
            names.put(input.name(), number.isPresent() ? Expr.literal(number.get()) : reader.read(input));
        }
        return names;
    }

    private void finish(Program program, Results results) throws IOException {
        noteUnused(program);
        List<Statement> ends = program.ends();
        if (explain || code) {
            print(results.explain(ends, code ? Backend.Detail.SOURCE : Backend.Detail.PLAN));
        }
        if (!program.files().isEmpty()) {
            write(program.files(), results);
        } else if (!explain && !code) {
            ends.forEach(statement -> checkPrintable(results.expr(statement)));
            List<Tensor> values = results.values(ends);
            for (int i = 0; i < values.size(); i++) {
                String name = values.size() == 1 ? "" : ends.get(i).name() + " =\n";
                print(name + TensorPrinter.print(values.get(i)));
            }
        }
    }

    private void write(Map<String, Statement> files, Results results) throws IOException {
        long started = System.nanoTime();
        results.write(files, overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE);
        double seconds = (System.nanoTime() - started) / 1e9;
        double waited = results.waited(started);
        String took = "in %.1f s%s"
                .formatted(
                        seconds,
                        waited < WORTH_SAYING ? "" : ", %.1f of them for want of an executor".formatted(waited));
        boolean several = files.size() > 1;
        long bytes = 0;
        for (Map.Entry<String, Statement> file : files.entrySet()) {
            Expr expr = results.expr(file.getValue());
            long own = expr.dtype().sizeBytes(expr.shape().numel());
            bytes += own;
            console()
                    .say(
                            "wrote %s: %s %s, %s%s",
                            file.getKey(),
                            expr.dtype(),
                            expr.shape(),
                            ByteSize.inWords(own),
                            several ? "" : " " + took);
        }
        if (several) {
            console().say("%d results, %s %s", files.size(), ByteSize.inWords(bytes), took);
        }
    }

    private void print(String text) {
        console().out().println(text.stripTrailing());
    }

    /** A name that no expression has is a slip more often than not: in the expression, or in a command that grew. */
    private void noteUnused(Program program) {
        for (Binding input : inputs) {
            if (!program.isUsed(input.name())) {
                note((expressions.size() == 1 ? "the expression does not use " : "no expression uses ") + input.name());
            }
        }
        program.idle().forEach(name -> note(name + " is neither written nor used"));
    }

    private static void checkPrintable(Expr result) {
        long bytes = result.dtype().sizeBytes(result.shape().numel());
        if (bytes > MOST_PRINTED_BYTES) {
            throw new UserError("Cannot print a result of " + ByteSize.inWords(bytes) + ": " + result.dtype() + " "
                    + result.shape() + "; give --out FILE.npy to keep it, or --explain to see the plan");
        }
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
