package io.github.broadloom.bench.checks;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.testkit.conformance.Conformance;
import io.github.broadloom.testkit.conformance.Engine;
import io.github.broadloom.testkit.conformance.LocalEngine;
import io.github.broadloom.testkit.conformance.Tally;
import io.github.broadloom.testkit.conformance.Verdict;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.DeviceOption;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "conformance",
        header = "Runs conformance vectors that PyTorch computed, here or distributed.",
        description =
                "Each line of a file is one vector: a JSON object with operands and the result, or the error text, that"
                        + " PyTorch gave. Kinds and ops that Broadloom does not have are skipped and counted by name.",
        footer = {
            "  ${ROOT-COMMAND-NAME} conformance arrow-io/src/test/resources/golden/*.jsonl",
            "  ${ROOT-COMMAND-NAME} conformance binary.jsonl unary.jsonl --spark 'local[2]' --chunks 3",
            "",
            "Exit codes: 0 all passed, 1 a vector failed, 2 a file cannot be read or a line is not JSON."
        })
final class ConformanceCommand extends Tool {
    @Parameters(paramLabel = "FILE.jsonl", arity = "1..*", description = "Files of vectors.")
    private List<Path> files = List.of();

    @Option(
            names = {"--spark", "--master"},
            paramLabel = "MASTER",
            description =
                    "Run on DistributedTensor with this Spark master, such as local[2] (default: in this process).")
    private @Nullable String master;

    @Option(
            names = "--chunks",
            paramLabel = "K",
            description = "With --spark: cut each operand in K chunks, or as many as it has rows (default: 3).")
    private @Nullable Integer chunks;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many failures to print (default: ${DEFAULT-VALUE}); all are counted.")
    private int limit;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        check();
        if (master == null) {
            return run(new LocalEngine(device.available()));
        }
        device.named();
        try (Sessions.Session session = Sessions.start(this, Optional.of(master), Map.of())) {
            Broadloom broadloom = device.on(Broadloom.on(session.spark()));
            return run(new SparkEngine(broadloom, chunks == null ? 3 : chunks));
        }
    }

    private void check() {
        if (master == null && chunks != null) {
            throw new UserError(
                    "Cannot cut in " + chunks + " chunks without Spark; add --spark MASTER, such as local[2]");
        }
        if (chunks != null && chunks < 1) {
            throw new UserError("Cannot cut in " + chunks + " chunks; give at least 1");
        }
        for (Path file : files) {
            Locations.checkPresent(file);
            if (Files.isDirectory(file)) {
                throw new UserError("Cannot open " + file + ": it is a folder; name a file of vectors");
            }
            if (!Files.isReadable(file)) {
                throw new UserError("Cannot open " + file + ": permission denied");
            }
        }
    }

    private int run(Engine engine) throws IOException {
        PrintWriter out = console().out();
        Tally tally = new Tally();
        Conformance conformance = new Conformance(engine);
        for (Path file : files) {
            conformance.run(file, verdict -> {
                tally.accept(verdict);
                if (verdict.outcome() == Verdict.Outcome.FAILED && tally.failed() <= limit) {
                    out.println(verdict);
                }
            });
        }
        if (tally.failed() > limit) {
            out.println("and " + (tally.failed() - limit) + " more failures; --limit shows more");
        }
        tally.skippedByName().forEach((name, count) -> out.println("skipped: " + name + " (" + count + ")"));
        out.println(tally);
        return tally.failed() == 0 ? 0 : 1;
    }
}
