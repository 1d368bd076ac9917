package io.github.broadloom.tools.shell;

import io.github.broadloom.sql.BroadloomExtensions;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.util.SignalUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import scala.Console;

@Command(
        name = "shell",
        header = "Opens a Scala shell with tensors, or runs a program in Scala.",
        description =
                "Has spark, sc and loom, which makes and reads tensors; tensors have operators, as (x - x.mean(0)) / x.std(0), and tensor_add and"
                        + " its like are functions of SQL. At a terminal there are history, completion and Scala's commands (:help); input from a"
                        + " pipe or a file is run statement by statement, up to the first one that fails.",
        footer = {
            "  ${ROOT-COMMAND-NAME} shell",
            "  ${ROOT-COMMAND-NAME} shell -e 'println(loom.readNpy(\"examples/data/face.npy\").mean(0).collect())'",
            "  ${ROOT-COMMAND-NAME} shell --master spark://host:7077 <program.scala",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command, the program or the files."
        })
public final class ShellCommand extends Tool {
    private static final String EXTENSIONS = "spark.sql.extensions";
    private static final String CLASSES = "spark.repl.class.outputDir";

    @Option(
            names = "-i",
            paramLabel = "FILE",
            description = "Run this program before anything else; may be given several times.")
    private List<Path> files = List.of();

    @Option(names = "-e", paramLabel = "CODE", description = "Run this instead of the input, and end.")
    private @Nullable String code;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<ScalaProgram> programs = new ArrayList<>();
        for (Path file : files) {
            programs.add(ScalaProgram.of(file.toString(), Files.readString(file)));
        }
        boolean interactive = code == null && isTerminal();
        if (!interactive) {
            programs.add(code == null ? ScalaProgram.input(System.in) : ScalaProgram.of("-e", code));
        }
        Path classes = Files.createTempDirectory("broadloom-shell-");
        try (Sessions.Session session = spark.start(this, settings(classes))) {
            if (interactive) {
                SignalUtils.register("INT", () -> cancelJobs(session));
            }
            PrintWriter out = console().out();
            ScalaInterpreter scala =
                    new ScalaInterpreter(session.spark(), spark.broadloom(session), classes, out, err(), debugs());
            PrintStream utf8 = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            return Console.withOut(utf8, () -> {
                if (interactive) {
                    scala.talk(programs, out);
                    return 0;
                }
                return scala.run(programs);
            });
        } finally {
            JavaUtils.deleteRecursively(classes.toFile());
        }
    }

    /** What Ctrl-C does at the terminal: ends the jobs that run, and where none does, the shell. */
    private static boolean cancelJobs(Sessions.Session session) {
        SparkContext context = session.spark().sparkContext();
        boolean busy = context.statusTracker().getActiveJobIds().length > 0;
        if (busy) {
            context.cancelAllJobs();
        }
        return busy;
    }

    private static Map<String, String> settings(Path classes) {
        String ours = BroadloomExtensions.class.getName();
        String given = new SparkConf().get(EXTENSIONS, ours);
        boolean listed = List.of(given.split(",")).contains(ours);
        return Map.of(CLASSES, classes.toString(), EXTENSIONS, listed ? given : given + "," + ours);
    }

    /** Whether a person types. Since JDK 22 there is a console where no terminal is, too. */
    @SuppressWarnings("SystemConsoleNull") // isTerminal() answers there
    private static boolean isTerminal() {
        java.io.Console console = System.console();
        try {
            return console != null
                    && (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderJdk) {
            return true;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
