package io.github.broadloom.tools.commands;

import com.sun.management.ThreadMXBean;
import io.github.broadloom.device.Backend;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.plan.Explanation;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Traffic;
import io.github.broadloom.plan.picture.Pictures;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.session.Locations;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "plan",
        header = "Plans an expression over tensors and a cluster that exist only on paper.",
        description =
                "Prints the plan that Broadloom would follow, or the reason why it would refuse, and what planning took;"
                        + " then the bytes that are moved, by strategy, against the least that any plan could move: each"
                        + " element of every tensor read once, and the result left once. docs/scale.md reads such plans.",
        footer = {
            "  ${ROOT-COMMAND-NAME} plan '(x - x.mean(0)) / x.std(0)' 'x=float32[25_000_000,100_000]' \\",
            "      --chunks x=100000 --executors 1000 --executor-memory 32g",
            "  ${ROOT-COMMAND-NAME} plan 'sum((a - b)**2, -1)' 'a=float32[1000000,1,256]' 'b=float32[1,1000000,256]'"
                    + " \\",
            "      --cached a --svg out/differences.svg",
            "  ${ROOT-COMMAND-NAME} plan 'x.T' 'x=float32[1000000,10000]' --for write --summary",
            "",
            "Exit codes: 0 planned, 1 the work failed, 2 refused, or something to mend in the command."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PlanCommand extends Tool {
    enum Action {
        COLLECT(Want.VALUE),
        WRITE(Want.ROWS),
        CACHE(Want.CHUNKS);

        private final Want want;

        Action(Want want) {
            this.want = want;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(index = "0", paramLabel = "EXPR", description = "The expression, in quotes: '(x - m) / s'.")
    private String expression;

    @Parameters(
            index = "1..*",
            paramLabel = "NAME=DTYPE[SHAPE]",
            description = "A tensor that exists on paper: x=float32[25000000,100000], s=float64[] for a number.")
    private List<String> declarations = List.of();

    @Mixin
    private DryRunTensors tensors;

    @Mixin
    private DryRunCluster cluster;

    @Option(
            names = "--for",
            paramLabel = "ACTION",
            defaultValue = "collect",
            description =
                    "What is done with the result: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). Files are"
                            + " written in whole rows; what is cached stays in chunks.")
    private Action action;

    @Option(names = "--summary", description = "A line for each step, without reasons and kernels.")
    private boolean summary;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan; a file that is there is replaced.")
    private @Nullable Path svg;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the plan as a page, picture and text; a file that is there is replaced.")
    private @Nullable Path html;

    private record Planned(Plan plan, double millis, long allocatedBytes) {}

    @Override
    public Integer call() throws IOException {
        Stream.of(svg, html).filter(Objects::nonNull).forEach(Locations::checkCreatable);
        Map<String, Expr> inputs =
                tensors.inputs(declarations.stream().map(Declaration::parse).toList(), cluster);
        Planned first = planned(inputs);
        Planned again = planned(inputs);
        Plan plan = first.plan;
        Console console = console();
        console.say("%s", text(plan));
        console.say(
                "planned in %.0f ms, and in %.0f ms a second time, with %s of heap allocated",
                first.millis, again.millis, ByteSize.inWords(again.allocatedBytes));
        console.say("%n%s", Traffic.of(plan, cluster.executors()));
        draw(plan, console);
        return 0;
    }

    private Planned planned(Map<String, Expr> inputs) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long allocated = threads.getThreadAllocatedBytes(thread);
        long started = System.nanoTime();
        Plan plan = new Planner(cluster.settings()).plan(ExprParser.parse(expression, inputs), action.want);
        double millis = (System.nanoTime() - started) / 1e6;
        return new Planned(plan, millis, threads.getThreadAllocatedBytes(thread) - allocated);
    }

    private String text(Plan plan) {
        return (summary ? Explanation.summary(plan) : Explanation.of(plan, Backend.Detail.PLAN)).stripTrailing();
    }

    private void draw(Plan plan, Console console) throws IOException {
        if (svg != null) {
            OutputFile.write(svg, Pictures.svg(plan));
            console.wrote(svg, "the plan");
        }
        if (html != null) {
            String page = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Plan</title>\n"
                    + Pictures.html(expression, plan, Explanation.of(plan, Backend.Detail.PLAN));
            OutputFile.write(html, page);
            console.wrote(html, "the plan");
        }
    }
}
