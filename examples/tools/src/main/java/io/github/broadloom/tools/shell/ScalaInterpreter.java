package io.github.broadloom.tools.shell;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tools.console.Version;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.tools.nsc.GenericRunnerSettings;
import scala.tools.nsc.Settings;
import scala.tools.nsc.interpreter.IMain;
import scala.tools.nsc.interpreter.Results;
import scala.tools.nsc.interpreter.shell.ILoop;
import scala.tools.nsc.interpreter.shell.ShellConfig;
import scala.tools.nsc.interpreter.shell.ShellConfig$;
import scala.util.Properties;

/** Scala's interpreter on a Spark session, with the names that {@code broadloom.scala} defines; what it compiles reaches the executors. */
final class ScalaInterpreter {
    private static final String PRELUDE = "/broadloom.scala";

    /** What every shell of Spark has. */
    private static final String SPARKS = """
            @transient val sc = spark.sparkContext
            import spark.implicits._
            import spark.sql
            import org.apache.spark.sql.functions._
            """;

    private static final String WELCOME = """
            Broadloom %s on Spark %s, Scala %s, master %s

              val x = loom.tensor(Tensors.arange(0.0, 12, 1).reshape(4, 3)) or loom.readNpy("examples/data/face.npy")
              val y = (x - x.mean(0)) / x.std(0)                      an expression: nothing is computed yet
              y.head(2)   y.collect()   y.writeNpy("y.npy", WriteMode.CREATE)
              println(y.explain())                                    how it would be computed
              sql("SELECT tensor_add(array(1, 2), 0.5) AS sum").show()

            :help lists the shell's commands, :quit leaves it.
            """;

    private final SparkSession spark;
    private final Broadloom loom;
    private final GenericRunnerSettings settings;
    private final ScalaReport report;

    /**
     * An interpreter, not yet started.
     *
     * @param classes the folder for what is compiled, where the session's executors find it
     * @param debug whether every exception is shown with its trace
     */
    ScalaInterpreter(
            SparkSession spark, Broadloom loom, Path classes, PrintWriter out, PrintWriter err, boolean debug) {
        this.spark = spark;
        this.loom = loom;
        this.settings = settings(classes);
        this.report = new ScalaReport(settings, out, err, debug);
    }

    private static GenericRunnerSettings settings(Path classes) {
        GenericRunnerSettings settings = new GenericRunnerSettings(problem -> {
            throw new IllegalStateException(problem);
        });
        List<String> arguments = List.of("-Yrepl-outdir", classes.toString(), "-classpath", classPath());
        settings.processArguments(CollectionConverters.asScala(arguments).toList(), true);
        // Else the classes of the session would be loaded twice, and none be the other.
        settings.explicitParentLoader_$eq(Option.apply(Thread.currentThread().getContextClassLoader()));
        return settings;
    }

    /** That of this JVM, and the jars that spark-submit was given. */
    private static String classPath() {
        StringBuilder path = new StringBuilder(System.getProperty("java.class.path"));
        for (String jar : new SparkConf().get("spark.jars", "").split(",")) {
            if (!jar.isEmpty()) {
                path.append(File.pathSeparator)
                        .append(jar.startsWith("file:") ? URI.create(jar).getPath() : jar);
            }
        }
        return path.toString();
    }

    /** Runs programs, one after the other, up to the first statement that fails, and gives the exit code for the process. */
    int run(List<ScalaProgram> programs) {
        IMain scala = new IMain(settings, report);
        try {
            prepare(scala);
            return runAll(programs, scala) ? 0 : report.exitCode();
        } finally {
            scala.close();
        }
    }

    private boolean runAll(List<ScalaProgram> programs, IMain scala) {
        try {
            for (ScalaProgram program : programs) {
                if (!program.run(scala, report)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Talks with a person at a terminal, who may look around where one of the programs before the first prompt failed. */
    void talk(List<ScalaProgram> programs, PrintWriter console) {
        new Loop(programs, console).run(settings);
    }

    /** With history, completion and Scala's commands. */
    private final class Loop extends ILoop {
        private final List<ScalaProgram> programs;
        private final PrintWriter console;

        Loop(List<ScalaProgram> programs, PrintWriter console) {
            super(ShellConfig$.MODULE$.apply(settings), null, console);
            this.programs = programs;
            this.console = console;
        }

        @Override
        public void printWelcome() {
            console.print(WELCOME.formatted(
                    Version.number(),
                    spark.version(),
                    Properties.versionNumberString(),
                    spark.sparkContext().master()));
            console.flush();
        }

        @Override
        @SuppressWarnings("MemberName") // Scala's
        public IMain Repl(ShellConfig config, Settings given, PrintWriter out) {
            return new IMain(given, report);
        }

        @Override
        public void createInterpreter(Settings given) {
            super.createInterpreter(given);
            IMain scala = (IMain) intp();
            prepare(scala);
            runAll(programs, scala);
            report.atPrompt();
        }

        @Override
        public void reset() {
            super.reset();
            prepare((IMain) intp());
            report.atPrompt();
        }
    }

    private void prepare(IMain scala) {
        report.attach(scala);
        report.at(PRELUDE, 1);
        report.withoutPrintingResults(() -> {
            bind(scala, "spark", SparkSession.class, spark);
            define(scala, SPARKS);
            define(scala, prelude());
            bind(scala, "loom", Broadloom.class, loom);
            return BoxedUnit.UNIT;
        });
    }

    private static void bind(IMain scala, String name, Class<?> type, Object value) {
        check(scala.bind(
                name,
                type.getName(),
                value,
                CollectionConverters.asScala(List.of("@transient")).toList()));
    }

    private static void define(IMain scala, String code) {
        check(scala.interpret(code));
    }

    private static void check(Results.Result result) {
        if (result != Results.Success$.MODULE$) {
            throw new IllegalStateException("Cannot start the shell: Scala does not understand what it begins with");
        }
    }

    private static String prelude() {
        try (InputStream stream = ScalaInterpreter.class.getResourceAsStream(PRELUDE)) {
            if (stream == null) {
                throw new IllegalStateException("Cannot start the shell: " + PRELUDE + " is missing from the jar");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
