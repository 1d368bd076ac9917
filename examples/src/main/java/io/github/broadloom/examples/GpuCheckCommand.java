package io.github.broadloom.examples;

import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.cuda.CudaCompiler;
import io.github.broadloom.device.cuda.CudaPart;
import io.github.broadloom.examples.GpuReport.Compiled;
import io.github.broadloom.examples.bench.Workload;
import io.github.broadloom.examples.bench.WorkloadKernels;
import io.github.broadloom.examples.bench.Workloads;
import io.github.broadloom.examples.conformance.Conformance;
import io.github.broadloom.examples.conformance.LocalEngine;
import io.github.broadloom.examples.conformance.Tally;
import io.github.broadloom.examples.conformance.Verdict;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what of a GPU there is, and tries it. */
@Command(
        name = "gpu-check",
        header = "Says whether a GPU can be used here, or why not, and tries it.",
        description = {
            "",
            "Names the GPUs with their driver, JCuda and the compiler NVRTC, each with its version or the reason why"
                    + " it is missing. With NVRTC, which needs no GPU, the kernels of the benchmark's workloads are"
                    + " compiled; with a GPU, conformance vectors run on it.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} gpu-check",
            "  ${ROOT-COMMAND-NAME} gpu-check arrow-io/src/test/resources/golden/*.jsonl --markdown h200.md",
            "  BROADLOOM_PROFILES=cuda ${ROOT-COMMAND-NAME} gpu-check    # once: fetches NVRTC, 362 MB",
            "",
            "Exit codes: 0 all that could run went well, without a GPU, too; 1 a vector failed; 2 a file cannot be"
                    + " read."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class GpuCheckCommand implements Callable<Integer> {
    /** Set by {@code examples/run}: the folder of the vectors that the repository has. */
    private static final String VECTORS_PROPERTY = "broadloom.vectors";

    private static final Device GPU = Device.of("cuda");
    private static final int FAILURES_SHOWN = 20;

    @Parameters(
            paramLabel = "FILE.jsonl",
            arity = "0..*",
            description = "Files of conformance vectors (default: those of the repository).")
    private List<Path> files = List.of();

    @Option(
            names = "--architecture",
            paramLabel = "SM",
            defaultValue = "sm_90",
            description = "What the benchmark's kernels are compiled for (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private String architecture;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            defaultValue = "out/gpu-check.md",
            description = "Where the report goes (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private Path markdown;

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        files.forEach(Locations::checkPresent);
        Locations.checkCreatable(markdown);
        Console console = Console.of(spec);
        List<CudaPart> parts = CudaPart.all();
        parts.forEach(part -> console.say("%-6s %s", part.name(), part.description()));
        boolean compiles = parts.stream().anyMatch(part -> part.name().equals("NVRTC") && part.present());
        List<Compiled> compiled = compiles ? compileWorkloads(console) : List.of();
        Map<String, Tally> vectors = Devices.isAvailable(GPU) ? runVectors(console) : Map.of();
        GpuReport report = new GpuReport(title(), parts, architecture, compiled, vectors);
        OutputFile.write(markdown, report::write);
        console.wrote(markdown, "the report");
        return report.isSound() ? 0 : 1;
    }

    private static String title() {
        return "Broadloom " + Version.number() + ", Java " + Runtime.version() + ", " + System.getProperty("os.name")
                + " " + System.getProperty("os.arch");
    }

    private List<Compiled> compileWorkloads(Console console) {
        console.say("");
        console.say("kernels of the benchmark, compiled for %s:", architecture);
        CudaCompiler compiler = CudaCompiler.nvrtc();
        List<Compiled> all = new ArrayList<>();
        for (Workload workload : Workloads.all()) {
            Compiled compiled = compile(workload, compiler);
            console.say("%s", compiled.line());
            all.add(compiled);
        }
        return all;
    }

    private Compiled compile(Workload workload, CudaCompiler compiler) {
        List<CudaSource> sources = WorkloadKernels.of(workload);
        long start = System.nanoTime();
        long bytes = 0;
        for (CudaSource source : sources) {
            bytes += compiler.compile(source, architecture).length;
        }
        double millis = (System.nanoTime() - start) / 1e6;
        return new Compiled(workload.name(), workload.title(), sources.size(), millis, bytes);
    }

    private Map<String, Tally> runVectors(Console console) throws IOException {
        console.say("");
        Map<String, Tally> tallies = new LinkedHashMap<>();
        Conformance conformance = new Conformance(new LocalEngine(GPU));
        for (Path file : vectors()) {
            Tally tally = new Tally();
            conformance.run(file, verdict -> {
                tally.accept(verdict);
                if (verdict.outcome() == Verdict.Outcome.FAILED && tally.failed() <= FAILURES_SHOWN) {
                    console.say("%s", verdict);
                }
            });
            console.say("%s: %s", file.getFileName(), tally);
            tallies.put(String.valueOf(file.getFileName()), tally);
        }
        return tallies;
    }

    private List<Path> vectors() throws IOException {
        String folder = System.getProperty(VECTORS_PROPERTY);
        if (!files.isEmpty() || folder == null) {
            return files;
        }
        try (Stream<Path> found = Files.list(Path.of(folder))) {
            return found.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }
}
