package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.BenchOptions;
import io.github.broadloom.bench.dryrun.DryRunGpu;
import io.github.broadloom.cuda.driver.CudaPart;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.testkit.accuracy.Accuracy;
import io.github.broadloom.testkit.accuracy.Accuracy.Range;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.console.Version;
import io.github.broadloom.tools.session.Locations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "gpu-check",
        header = "Says whether a GPU can be used here, or why not, and tries it.",
        description =
                "Names the GPUs with their driver, JCuda and the compiler NVRTC, each with its version or the reason why"
                        + " it is missing. With NVRTC, which needs no GPU, the kernels of the benchmark's workloads are"
                        + " compiled. With a GPU, conformance vectors run on it, random expressions are compared with the"
                        + " CPU's results, and so are nearest rows, the benchmark measures it, and the errors of operations are held against what"
                        + " docs/ops.md permits. What fails keeps nothing else from running.",
        footer = {
            "  ${ROOT-COMMAND-NAME} gpu-check",
            "  ${ROOT-COMMAND-NAME} gpu-check --peers --python ~/venv/bin/python --markdown h200.md",
            "  ${ROOT-COMMAND-NAME} gpu-check --only vectors arrow-io/src/test/resources/golden/*.jsonl",
            "  ${ROOT-COMMAND-NAME} gpu-check --only properties --seed 7 --count 1",
            "  ${ROOT-COMMAND-NAME} gpu-check --only bench --workloads W4,W5,gpu",
            "  BROADLOOM_PROFILES=cuda ${ROOT-COMMAND-NAME} gpu-check    # once: fetches NVRTC, 362 MB",
            "",
            "Exit codes: 0 all that could run went well, without a GPU, too; 1 something failed; 2 a mistake in what was"
                    + " asked for."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class GpuCheckCommand extends Tool {
    /** Set by {@code examples/run}: the folder of the vectors that the repository has. */
    private static final String VECTORS_PROPERTY = "broadloom.vectors";

    private static final Device GPU = Device.of("cuda");

    private enum Part {
        KERNELS,
        VECTORS,
        PROPERTIES,
        NEAREST,
        BENCH,
        ACCURACY
    }

    @Parameters(
            paramLabel = "FILE.jsonl",
            arity = "0..*",
            description = "Files of conformance vectors (default: those of the repository).")
    private List<Path> files = List.of();

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = "Only these: kernels, vectors, properties, nearest, bench, accuracy (default: all).")
    private Set<Part> only = EnumSet.allOf(Part.class);

    @Option(
            names = "--architecture",
            paramLabel = "SM",
            defaultValue = "sm_90",
            description = "What the benchmark's kernels are compiled for (default: ${DEFAULT-VALUE}).")
    private String architecture;

    @Option(
            names = "--cubins",
            paramLabel = "FILE.jar",
            description =
                    "Run nothing, and keep the kernels that --only names in a jar: those of --workloads, and those that the other"
                            + " parts would run on a GPU; compiled for every --architecture, of which there may be"
                            + " several with commas. On the class path it stands for NVRTC.")
    private @Nullable Path cubins;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "The seed of the first random expression (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many random expressions (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--every-float32",
            description =
                    "Measure the errors at all 2^32 arguments: some seconds an operation where there are many processors.")
    private boolean every;

    @Option(
            names = "--workloads",
            paramLabel = "W1",
            split = ",",
            defaultValue = "W1,W2,W3,W4,W5,W6,W7,W8,W9,W10,gpu",
            description = "Which workloads are measured; see bench --list (default: all).")
    private List<String> workloads = List.of();

    @Mixin
    private BenchOptions bench;

    @Option(names = "--require-gpu", description = "Fail where there is no GPU, rather than say so and be content.")
    private boolean required;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            defaultValue = "out/gpu-check.md",
            description = "Where the report goes (default: ${DEFAULT-VALUE}).")
    private Path markdown;

    @Override
    public Integer call() throws IOException {
        check();
        Console console = console();
        List<CudaPart> parts = CudaPart.all();
        parts.forEach(part -> console.say("%-6s %s", part.name(), part.description()));
        List<GpuReport.Section> sections = new ArrayList<>();
        for (GpuCheck check : checks(parts)) {
            console.say("");
            console.say("%s", check.heading());
            GpuReport.Section section = check.outcome(console, soFar -> {
                List<GpuReport.Section> withThis = new ArrayList<>(sections);
                withThis.add(soFar.unfinished());
                write(parts, withThis);
            });
            console.say("%s%s", section.sound() ? "" : "failed: ", section.summary());
            sections.add(section);
            write(parts, sections);
        }
        GpuReport report = write(parts, sections);
        console.wrote(markdown, "the report");
        if (required) {
            Devices.backend(GPU); // says why there is none
        }
        return report.isSound() ? 0 : 1;
    }

    private GpuReport write(List<CudaPart> parts, List<GpuReport.Section> sections) throws IOException {
        GpuReport report = new GpuReport(title(), parts, sections);
        OutputFile.write(markdown, report.markdown());
        return report;
    }

    private void check() {
        files.forEach(Locations::checkPresent);
        Locations.checkCreatable(markdown);
        bench.check();
        bench.workloads(workloads, Device.CPU); // their names
        if (count < 1) {
            throw new UserError("Cannot try " + count + " expressions; give at least 1");
        }
    }

    /** What was asked for, as far as this machine has what it needs. */
    private List<GpuCheck> checks(List<CudaPart> parts) throws IOException {
        CudaPart nvrtc = parts.stream()
                .filter(part -> part.name().equals("NVRTC"))
                .findFirst()
                .orElseThrow();
        List<String> architectures = List.of(architecture.split(","));
        List<GpuCheck> checks = new ArrayList<>();
        if (cubins != null) {
            if (!nvrtc.present()) {
                throw new UserError("Cannot compile kernels ahead without NVRTC: " + nvrtc.description());
            }
            boolean measured = only.contains(Part.KERNELS) || only.contains(Part.BENCH);
            checks.add(new CubinsCheck(
                    cubins,
                    measured ? bench.workloads(workloads, Device.CPU) : List.of(),
                    checksOn(DryRunGpu.DEVICE),
                    architectures));
            return checks;
        }
        if (only.contains(Part.KERNELS) && nvrtc.present()) {
            checks.add(new KernelCheck(architectures.get(0)));
        }
        if (Devices.isAvailable(GPU)) {
            checks.addAll(checksOn(GPU));
            if (only.contains(Part.BENCH)) {
                checks.add(new BenchCheck(GPU, workloads, bench, this));
            }
        }
        return checks;
    }

    /** Those that compare values. */
    private List<GpuCheck> checksOn(Device device) throws IOException {
        List<GpuCheck> checks = new ArrayList<>();
        if (only.contains(Part.VECTORS)) {
            checks.add(new VectorCheck(device, files.isEmpty() ? ofTheRepository() : files));
        }
        if (only.contains(Part.PROPERTIES)) {
            checks.add(new PropertyCheck(device, seed, count));
        }
        if (only.contains(Part.NEAREST)) {
            checks.add(new NearestCheck(device, bench));
        }
        if (only.contains(Part.ACCURACY)) {
            checks.add(new AccuracyCheck(new Accuracy(DType.FLOAT32, every ? Range.ALL : Range.SAMPLE, device)));
        }
        return checks;
    }

    private static String title() {
        return "Broadloom " + Version.number() + ", Java " + Runtime.version() + ", " + System.getProperty("os.name")
                + " " + System.getProperty("os.arch")
                + NvidiaModule.version().map(v -> ", NVIDIA driver " + v).orElse("")
                + ", " + LocalDate.now(ZoneOffset.UTC);
    }

    /** The files of vectors that the repository, or what was made of it, has; none where it is not known. */
    static List<Path> ofTheRepository() throws IOException {
        String folder = System.getProperty(VECTORS_PROPERTY);
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(Path.of(folder))) {
            return found.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }
}
