package io.github.broadloom.bench;

import static io.github.broadloom.dtype.DType.BOOL;
import static io.github.broadloom.dtype.DType.FLOAT16;
import static io.github.broadloom.dtype.DType.FLOAT32;
import static io.github.broadloom.dtype.DType.UINT8;

import io.github.broadloom.bench.Workload.Operand;
import io.github.broadloom.bench.Workload.Result;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The workloads of {@code docs/performance.md}: shapes from vision, distances, strides and mixtures of dtypes. */
public final class Workloads {
    private static final Shape IMAGES = Shape.of(512, 3, 224, 224);
    private static final Operand X = operand("x", FLOAT32, IMAGES);

    private static final List<Workload> ALL = List.of(
            new Workload(
                    "W1",
                    "normalise images by channel",
                    "(x - mean) * inv",
                    List.of(X, operand("mean", FLOAT32, Shape.of(3, 1, 1)), operand("inv", FLOAT32, Shape.of(3, 1, 1))),
                    new Result(FLOAT32, IMAGES)),
            new Workload(
                    "W2",
                    "a chain with exp and tanh",
                    "where(x > m, tanh((x - m) * s) + exp(-x * x), 0.1 * x)",
                    List.of(X, operand("m", FLOAT32, Shape.of(3, 1, 1)), operand("s", FLOAT32, Shape.of(3, 1, 1))),
                    new Result(FLOAT32, IMAGES)),
            new Workload(
                    "W3",
                    "standardise: mean and std by channel",
                    "(x - mean(x, dim=(0, 2, 3), keepdim=True)) / std(x, dim=(0, 2, 3), keepdim=True)",
                    List.of(X),
                    new Result(FLOAT32, IMAGES)),
            new Workload(
                    "W4",
                    "pairwise squared distances",
                    "sum((a - b) ** 2, dim=-1)",
                    List.of(operand("a", FLOAT32, Shape.of(4000, 1, 64)), operand("b", FLOAT32, Shape.of(1, 4000, 64))),
                    new Result(FLOAT32, Shape.of(4000, 4000))),
            new Workload(
                    "W5",
                    "outer product, then the row's maximum",
                    "amax(a * b + a, dim=1)",
                    List.of(operand("a", FLOAT32, Shape.of(20000, 1)), operand("b", FLOAT32, Shape.of(1, 20000))),
                    new Result(FLOAT32, Shape.of(20000))),
            new Workload(
                    "W6",
                    "bytes to normalised floats, channels last",
                    "(float32(u) / 255 - mean) / std",
                    List.of(
                            operand("u", UINT8, Shape.of(256, 512, 512, 3)),
                            operand("mean", FLOAT32, Shape.of(3)),
                            operand("std", FLOAT32, Shape.of(3))),
                    new Result(FLOAT32, Shape.of(256, 512, 512, 3))),
            new Workload(
                    "W7",
                    "a transposed operand",
                    "x + y + z",
                    List.of(
                            new Operand("x", FLOAT32, Shape.of(4096, 4096), true),
                            operand("y", FLOAT32, Shape.of(4096, 4096)),
                            operand("z", FLOAT32, Shape.of(4096))),
                    new Result(FLOAT32, Shape.of(4096, 4096))),
            new Workload(
                    "W8",
                    "a small inner broadcast",
                    "a - b",
                    List.of(
                            operand("a", FLOAT32, Shape.of(1, 32, 32, 2)),
                            operand("b", FLOAT32, Shape.of(1024, 1, 1, 2))),
                    new Result(FLOAT32, Shape.of(1024, 32, 32, 2))),
            new Workload(
                    "W9",
                    "float16 with a bool mask",
                    "where(mask, h * scale, h - shift)",
                    List.of(
                            operand("h", FLOAT16, Shape.of(256, 3, 224, 224)),
                            operand("mask", BOOL, Shape.of(256, 1, 224, 224)),
                            operand("scale", FLOAT16, Shape.of(3, 1, 1)),
                            operand("shift", FLOAT16, Shape.of(3, 1, 1))),
                    new Result(FLOAT16, Shape.of(256, 3, 224, 224))),
            new Workload(
                    "W10",
                    "a chain of forty cheap operations",
                    chain(),
                    List.of(operand("x", FLOAT32, Shape.of(32_000_000))),
                    new Result(FLOAT32, Shape.of(32_000_000))));

    private Workloads() {}

    /** All of them, in order. */
    public static List<Workload> all() {
        return ALL;
    }

    /** The workload of that name, in any case. */
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

    private static Operand operand(String name, DType dtype, Shape shape) {
        return new Operand(name, dtype, shape, false);
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
