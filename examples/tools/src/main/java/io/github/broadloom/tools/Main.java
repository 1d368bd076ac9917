package io.github.broadloom.tools;

import io.github.broadloom.exec.SettingsPage;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.expr.parse.OpsPage;
import io.github.broadloom.sql.FunctionsPage;
import io.github.broadloom.tools.commands.AnomaliesCommand;
import io.github.broadloom.tools.commands.ClimatologyCommand;
import io.github.broadloom.tools.commands.ConvertCommand;
import io.github.broadloom.tools.commands.DedupCommand;
import io.github.broadloom.tools.commands.EvalCommand;
import io.github.broadloom.tools.commands.HillshadeCommand;
import io.github.broadloom.tools.commands.InfoCommand;
import io.github.broadloom.tools.commands.NearestCommand;
import io.github.broadloom.tools.commands.PageTool;
import io.github.broadloom.tools.commands.PlanCommand;
import io.github.broadloom.tools.commands.StandardizeCommand;
import io.github.broadloom.tools.console.DeveloperCommands;
import io.github.broadloom.tools.console.ErrorHandler;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.shell.ShellCommand;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/**
 * The one entry of all programs: {@code broadloom NAME [options]}. Run alone it lists them.
 *
 * <p>Exit codes: 0 when all went well, 1 when the work failed, 2 when the user can mend it (a wrong option, a missing
 * file, shapes that do not broadcast).
 */
@Command(
        name = "broadloom",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "NumPy and PyTorch broadcasting for tensors on Apache Spark.")
public final class Main implements Runnable {
    /** The system property with what the user types to start this program, for the usage texts. */
    static final String COMMAND_PROPERTY = "broadloom.command";

    private static final List<Class<? extends Tool>> TOOLS = List.of(
            EvalCommand.class,
            InfoCommand.class,
            ConvertCommand.class,
            ClimatologyCommand.class,
            AnomaliesCommand.class,
            ShellCommand.class,
            HillshadeCommand.class,
            NearestCommand.class,
            DedupCommand.class,
            StandardizeCommand.class,
            PlanCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before anything runs
    private CommandSpec spec;

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        Runtime.getRuntime().addShutdownHook(new Thread(Main::stopping, "broadloom-stopping"));
        System.exit(run(writer(System.out), writer(System.err), args));
    }

    /** On Ctrl-C Spark ends a running job from under us; neither its log nor ours has anything to tell about that. */
    private static void stopping() {
        ErrorHandler.interrupted();
        if (SparkJars.present() && Sessions.isRunning() && !Sessions.submitted()) {
            Sessions.silence();
        }
    }

    /** UTF-8 whatever the locale says: in containers it mostly says nothing, and terminals speak UTF-8. */
    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    /** Runs the command line with its texts going to the given writers, and returns the exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = commandLine(args)
                .setCommandName(System.getProperty(COMMAND_PROPERTY, "broadloom"))
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(100)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new ErrorHandler())
                .setExecutionExceptionHandler(new ErrorHandler());
        int code = execute(line, args);
        out.flush();
        err.flush();
        return code;
    }

    /** With all commands; with one alone where the arguments begin with its name, for to look into all of them takes longer than many a command. */
    static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new Main());
        List<Class<? extends Tool>> named = TOOLS.stream()
                .filter(tool -> args.length > 0
                        && tool.getAnnotation(Command.class).name().equals(args[0]))
                .toList();
        (named.isEmpty() ? TOOLS : named).forEach(line::addSubcommand);
        if (named.isEmpty()) {
            addOthers(line);
        }
        for (CommandLine tool : line.getSubcommands().values()) {
            tool.getHelpSectionMap()
                    .put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, help -> help.description() + "%n".formatted());
        }
        return line;
    }

    private static void addOthers(CommandLine line) {
        // No references to methods: the classes may need Spark, which may be missing.
        line.addSubcommand(PageTool.of(
                "ops", "all operations, made from their table", "ops", "logaddexp", () -> OpsPage.markdown()));
        line.addSubcommand(PageTool.of(
                "functions",
                "all functions of SQL, made of them",
                "sql-functions",
                "tensor_clamp",
                () -> FunctionsPage.markdown()));
        line.addSubcommand(PageTool.of(
                "settings", "all settings, made of them", "configuration", "memory", () -> SettingsPage.markdown()));
        DeveloperCommands.found().forEach(line::addSubcommand);
    }

    /** What needs jars that are not on the class path, Spark's first of all, is refused in a sentence. */
    private static int execute(CommandLine line, String... args) {
        try {
            return line.execute(args);
        } catch (NoClassDefFoundError missing) { // picocli hands over exceptions alone
            return new ErrorHandler().handleMissingClass(missing, line, args);
        }
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        String name = spec.commandLine().getCommandName();
        out.println("Broadloom " + Version.number() + ": NumPy and PyTorch broadcasting for tensors on Apache Spark");
        out.println();
        list(out, tool -> !DeveloperCommands.NAMES.contains(tool));
        if (!DeveloperCommands.found().isEmpty()) {
            out.println();
            out.println("For those who develop Broadloom:");
            out.println();
            list(out, DeveloperCommands.NAMES::contains);
        }
        out.println();
        out.println(
                "Start one with '" + name + " NAME [options]'; '" + name + " NAME --help' explains it, with examples.");
    }

    private void list(PrintWriter out, Predicate<String> listed) {
        spec.subcommands().forEach((tool, line) -> {
            if (listed.test(tool)) {
                String[] header = line.getCommandSpec().usageMessage().header();
                out.printf("  %-13s %s%n", tool, String.join(" ", header));
            }
        });
    }
}
