package io.github.broadloom.bench.checks;

import io.github.broadloom.device.DeviceSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A step of {@code gpu-day}: processes one after another, or side by side, of which every one has its time.
 *
 * @param abreast how many processes run at a time
 */
record DayStep(int number, String name, String title, int seconds, int abreast, List<DayPart> parts) {
    /** Less than the ten minutes after which machines that are lent end a command. */
    private static final int MOST_SECONDS = 530;

    private static final int EXPRESSIONS = 1000;
    private static final int SHARES = 8;

    private static final String ALL_W = "W1,W2,W3,W4,W5,W6,W7,W8,W9,W10";

    private static final String TORCH = """
            import importlib.util
            if importlib.util.find_spec('torch') is None:
                print('no PyTorch')
            else:
                import torch
                print('PyTorch', torch.__version__, 'CUDA', torch.version.cuda, torch.cuda.get_device_name() if torch.cuda.is_available() else 'no GPU')
            """;

    DayStep {
        parts = List.copyOf(parts);
    }

    /** What a day has: {@code python} is the interpreter that may have PyTorch, and in a rehearsal everything is small. */
    static List<DayStep> all(List<Path> vectors, String python, boolean rehearsal) {
        int abreast = Math.max(1, Math.min(SHARES, Runtime.getRuntime().availableProcessors() / 2));
        List<String> quick = rehearsal
                ? List.of("--elements", "2500", "--repeat", "1", "--warm-up", "0", "--warm-up-seconds", "0")
                : List.of("--elements", "67108864", "--warm-up", "3", "--warm-up-seconds", "0.5");
        // of 16 MiB, as Spark's: the largest that lies in a slab, which can be pinned
        List<String> chunk = rehearsal ? quick : List.of("--elements", "4194304");
        String few = rehearsal ? "2" : "20";
        List<String> whole = rehearsal ? quick : List.of();
        return List.of(
                step(
                        0,
                        "runs",
                        "Does it run at all: the driver, the compiler, a few kernels, expressions and measurements",
                        DayPart.program("nvidia-smi", 20, "nvidia-smi"),
                        DayPart.check("kernels", 150, "--only", "kernels"),
                        DayPart.check("properties", 150, "--only", "properties", "--count", few),
                        bench("bench", 150, rehearsal ? "G1" : "G1,G2,G5,G11,G17,W3,W4,W8", quick)),
                new DayStep(
                        1,
                        "right",
                        "Is it right: all conformance vectors, and a thousand random expressions as on the CPU",
                        MOST_SECONDS,
                        abreast,
                        right(rehearsal ? smallest(vectors) : vectors, rehearsal ? SHARES : EXPRESSIONS)),
                step(
                        2,
                        "bench",
                        "How fast it is: G1 to G17 and W1 to W10 beside a copy on the device, and a chunk there and back with and without pinned slabs",
                        bench("gpu", 290, rehearsal ? "G1,G17" : "gpu", whole),
                        bench("workloads", 190, rehearsal ? "G2" : ALL_W, whole),
                        bench("chunk", 25, "G17", chunk),
                        bench("chunk-pinned", 25, "G17", chunk).with("-D" + DeviceSettings.CUDA_PIN + "=true")),
                beside(3, "gpu", "G1 to G17", rehearsal ? "G1" : "gpu", python, whole),
                beside(4, "workloads", "W1 to W10", rehearsal ? "G2" : ALL_W, python, whole),
                step(
                        5,
                        "exact",
                        "How exact it is: unary operations at every float32, against what docs/ops.md permits",
                        rehearsal
                                ? DayPart.check("accuracy", MOST_SECONDS - 10, "--only", "accuracy")
                                : DayPart.check(
                                        "accuracy", MOST_SECONDS - 10, "--only", "accuracy", "--every-float32")),
                step(
                        6,
                        "tools",
                        "What NVIDIA's tools say: compute-sanitizer on random expressions, ncu on three workloads",
                        tools(few, quick)),
                step(
                        7,
                        "nearest",
                        "Nearest rows: whether they are those of the CPU, and how soon they are found beside PyTorch",
                        DayPart.program("torch", 60, python, "-c", TORCH),
                        nearest(python, quick, rehearsal)));
    }

    private static DayStep step(int number, String name, String title, DayPart... parts) {
        return new DayStep(number, name, title, MOST_SECONDS, 1, List.of(parts));
    }

    private static List<Path> smallest(List<Path> vectors) {
        return vectors.stream()
                .min(Comparator.comparingLong(file -> file.toFile().length()))
                .stream()
                .toList();
    }

    private static DayPart bench(String name, int seconds, String workloads, List<String> how) {
        List<String> options = new ArrayList<>(List.of("--only", "bench", "--workloads", workloads));
        options.addAll(how);
        return new DayPart(name, seconds, List.of(), options);
    }

    private static DayPart nearest(String python, List<String> quick, boolean rehearsal) {
        List<String> options = new ArrayList<>(List.of("--only", "nearest", "--peers", "--python", python));
        options.addAll(rehearsal ? quick : List.of("--repeat", "5", "--warm-up", "2", "--warm-up-seconds", "0"));
        return new DayPart("nearest", MOST_SECONDS - 70, List.of(), options);
    }

    private static DayStep beside(
            int number, String name, String which, String workloads, String python, List<String> how) {
        List<String> options = new ArrayList<>(List.of("--peers", "--python", python));
        options.addAll(how);
        return step(
                number,
                "peers-" + name,
                "How it compares: " + which + " beside eager PyTorch and torch.compile on the same GPU",
                DayPart.program("torch", 60, python, "-c", TORCH),
                bench(name, MOST_SECONDS - 70, workloads, options));
    }

    private static List<DayPart> right(List<Path> vectors, int expressions) {
        Stream<DayPart> files = vectors.stream()
                .map(file -> DayPart.check(
                        file.getFileName().toString().replace(".jsonl", ""),
                        MOST_SECONDS - 10,
                        "--only",
                        "vectors",
                        file.toString()));
        int share = expressions / SHARES;
        Stream<DayPart> shares = IntStream.range(0, SHARES)
                .mapToObj(i -> DayPart.check(
                        "expressions-" + i,
                        MOST_SECONDS - 10,
                        "--only",
                        "properties",
                        "--seed",
                        Integer.toString(i * share),
                        "--count",
                        Integer.toString(share)));
        return Stream.concat(files, shares).toList();
    }

    private static DayPart[] tools(String few, List<String> quick) {
        List<DayPart> parts = new ArrayList<>();
        parts.add(DayPart.check("memcheck", 240, "--only", "properties", "--count", few)
                .under("compute-sanitizer", "--tool", "memcheck"));
        for (String workload : List.of("W3", "G5", "G9")) {
            parts.add(bench("ncu-" + workload, 90, workload, quick)
                    .under(
                            "ncu",
                            "--clock-control",
                            "none",
                            "--launch-skip",
                            "20",
                            "--launch-count",
                            "12",
                            "--metrics",
                            "gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed,"
                                    + "sm__warps_active.avg.pct_of_peak_sustained_active,"
                                    + "smsp__issue_active.avg.pct_of_peak_sustained_active"));
        }
        return parts.toArray(DayPart[]::new);
    }

    /** This, small: its report has a name of its own, so that it overwrites none that was measured. */
    DayStep rehearsed() {
        return new DayStep(
                number, name + "-rehearsal", title + " (a rehearsal, of little of it)", seconds, abreast, parts);
    }

    int minutes() {
        return (seconds + 59) / 60;
    }
}
