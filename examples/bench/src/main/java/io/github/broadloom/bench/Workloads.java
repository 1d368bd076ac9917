package io.github.broadloom.bench;

import io.github.broadloom.bench.Workload.Operand;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The workloads of {@code docs/performance.md}: shapes from vision, distances, strides and mixtures of dtypes. */
public final class Workloads {
    private static final String IMAGES = "x=float32[512,3,224,224]";

    private static final List<Workload> ALL = List.of(
            workload(
                    "W1",
                    "normalise images by channel",
                    "(x - mean) * inv",
                    IMAGES,
                    "mean=float32[3,1,1]",
                    "inv=float32[3,1,1]"),
            workload(
                    "W2",
                    "a chain with exp and tanh",
                    "where(x > m, tanh((x - m) * s) + exp(-x * x), 0.1 * x)",
                    IMAGES,
                    "m=float32[3,1,1]",
                    "s=float32[3,1,1]"),
            workload(
                    "W3",
                    "standardise: mean and std by channel",
                    "(x - mean(x, dim=(0, 2, 3), keepdim=True)) / std(x, dim=(0, 2, 3), keepdim=True)",
                    IMAGES),
            workload(
                    "W4",
                    "pairwise squared distances",
                    "sum((a - b) ** 2, dim=-1)",
                    "a=float32[4000,1,64]",
                    "b=float32[1,4000,64]"),
            workload(
                    "W5",
                    "outer product, then the row's maximum",
                    "amax(a * b + a, dim=1)",
                    "a=float32[20000,1]",
                    "b=float32[1,20000]"),
            workload(
                    "W6",
                    "bytes to normalised floats, channels last",
                    "(float32(u) / 255 - mean) / std",
                    "u=uint8[256,512,512,3]",
                    "mean=float32[3]",
                    "std=float32[3]"),
            workload(
                    "W7",
                    "a transposed operand",
                    "x + y + z",
                    "x=float32[4096,4096].T",
                    "y=float32[4096,4096]",
                    "z=float32[4096]"),
            workload("W8", "a small inner broadcast", "a - b", "a=float32[1,32,32,2]", "b=float32[1024,1,1,2]"),
            workload(
                    "W9",
                    "float16 with a bool mask",
                    "where(mask, h * scale, h - shift)",
                    "h=float16[256,3,224,224]",
                    "mask=bool[256,1,224,224]",
                    "scale=float16[3,1,1]",
                    "shift=float16[3,1,1]"),
            workload("W10", "a chain of forty cheap operations", chain(), "x=float32[32_000_000]"));

    private Workloads() {}

    public static List<Workload> all() {
        return ALL;
    }

    public static Optional<Workload> find(String name) {
        return find(name, ALL);
    }

    /** The workload of that name, in any case, among these. */
    public static Optional<Workload> find(String name, List<Workload> among) {
        return among.stream()
                .filter(workload -> workload.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** What a workload of tensors, of tables or of a GPU is about; empty for a name that none has. */
    static String title(String name) {
        return Stream.of(ALL, TableWorkloads.of(1), GpuWorkloads.of(1))
                .flatMap(kind -> find(name, kind).stream())
                .map(Workload::title)
                .findFirst()
                .orElse("");
    }

    private static Workload workload(String name, String title, String text, String... operands) {
        return new Workload(
                name, title, text, Stream.of(operands).map(Operand::of).toArray(Operand[]::new));
    }

    /** Ten times a multiplication, an addition, a magnitude and a maximum. */
    private static String chain() {
        String text = "x";
        for (int i = 1; i <= 10; i++) {
            text = "maximum(abs(" + text + " * 0.9" + i + " - 0." + i + "), x)";
        }
        return text;
    }
}
