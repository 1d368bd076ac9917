package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.BenchOptions;
import io.github.broadloom.bench.Seconds;
import io.github.broadloom.bench.dryrun.DryRunGpu;
import io.github.broadloom.device.Threads;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.nearest.NearestRows;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.NearestByHand;
import io.github.broadloom.tools.console.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Whether nearest rows by a device are those of the CPU, to the bit; and how soon many are found, beside PyTorch where peers are asked for. */
record NearestCheck(Device device, BenchOptions options) implements GpuCheck {
    private static final int DIMENSIONS = 128;
    private static final int K = 10;
    /** Blocks of the same kernels as those of more rows. */
    private static final long ON_PAPER = (1 << 14) * DIMENSIONS;

    private static final long MEASURED = (1 << 18) * DIMENSIONS;

    @Override
    public String heading() {
        return "Nearest rows on " + device;
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        List<String> wrong = differences();
        boolean isPaper = device.equals(DryRunGpu.DEVICE);
        int rows = Math.toIntExact(options.elements(isPaper ? ON_PAPER : MEASURED) / DIMENSIONS);
        Tensor b = random(Math.max(K, rows), 4);
        Tensor a = random(isPaper ? 1024 : Math.max(1, rows / 4), 3);
        if (!isAsOnCpu(a, b, VectorMetric.EUCLIDEAN, isPaper ? 1 : Threads.local())) {
            wrong.add("those of " + a.shape() + " among " + b.shape() + " differ from the CPU's");
        }
        return section(wrong, isPaper ? "" : measured(a, b, console));
    }

    /** In few rows, many of which are equally near, or have no scores. */
    List<String> differences() {
        List<String> wrong = new ArrayList<>();
        for (VectorMetric metric : VectorMetric.values()) {
            for (int dimensions : new int[] {1, 5, 300}) {
                Tensor a = tensor(NearestByHand.points(60, dimensions, 1));
                Tensor b = tensor(NearestByHand.points(1000, dimensions, 2));
                if (!isAsOnCpu(a, b, metric, 1)) {
                    wrong.add(metric + " of " + dimensions + " dimensions differs from the CPU's");
                }
            }
        }
        return wrong;
    }

    private GpuReport.Section section(List<String> wrong, String table) {
        String summary = wrong.isEmpty() ? "As on the CPU, to the bit" : wrong.size() + " differ from the CPU's";
        return new GpuReport.Section(heading(), wrong.isEmpty(), summary, table + GpuReport.verbatim(wrong));
    }

    private static Tensor tensor(double[][] rows) {
        return Tensors.copyOf(Stream.of(rows).flatMapToDouble(Arrays::stream).toArray(), rows.length, rows[0].length);
    }

    private static Tensor random(int rows, long seed) {
        Random random = new Random(seed);
        float[] values = new float[rows * DIMENSIONS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Tensors.copyOf(values, rows, DIMENSIONS);
    }

    /** @param threads how few rows go to the device together decides its kernels */
    private boolean isAsOnCpu(Tensor a, Tensor b, VectorMetric metric, int threads) {
        ValuesAndIndices<Tensor> there = NearestRows.of(a, b, K, metric, device, threads);
        ValuesAndIndices<Tensor> here = NearestRows.of(a, b, K, metric, Device.CPU, Threads.local());
        return Arrays.equals(there.indices().toLongArray(), here.indices().toLongArray())
                && Arrays.equals(there.values().toDoubleArray(), here.values().toDoubleArray());
    }

    private String measured(Tensor a, Tensor b, Console console) throws IOException {
        StringBuilder table = new StringBuilder("The " + K + " nearest of " + b.shape() + " to each row of "
                + a.shape()
                + ", float32, Euclidean: Broadloom's from and to this machine's memory, distances in float64"
                + " from the differences; PyTorch's with both tables on the device, cdist and topk.\n\n"
                + "| who | median s | least s |\n|---|---:|---:|\n");
        for (Device each : new Device[] {device, Device.CPU}) {
            Seconds seconds =
                    options.rounds().time(() -> NearestRows.of(a, b, K, VectorMetric.EUCLIDEAN, each, Threads.local()));
            table.append(row("broadloom " + each, seconds));
            console.say("broadloom %s: %.3f s", each, seconds.median());
        }
        if (options.peers().isPresent()) {
            table.append(beside(a, b, options.peers().get(), console));
        }
        return table.append('\n').toString();
    }

    private String beside(Tensor a, Tensor b, String python, Console console) throws IOException {
        Path folder = Files.createTempDirectory("broadloom-nearest");
        List<Path> files = Stream.of("left", "right", "out")
                .map(name -> folder.resolve(name + ".npy"))
                .toList();
        try {
            Npy.write(a, files.get(0), WriteMode.CREATE);
            Npy.write(b, files.get(1), WriteMode.CREATE);
            NearestPeer.Answer answer = new NearestPeer("torch", python)
                    .run(Map.of(
                            "left", files.get(0).toString(),
                            "right", files.get(1).toString(),
                            "out", files.get(2).toString(),
                            "k", K,
                            "warm_up", 1,
                            "repeat", options.rounds().measured(),
                            "device", device.toString()));
            console.say(
                    "torch: %s", answer.absent().isEmpty() ? answer.seconds().median() + " s" : answer.absent());
            return answer.absent().isEmpty()
                    ? row("torch " + answer.version() + recall(a, b, Npy.read(files.get(2))), answer.seconds())
                    : GpuReport.row("torch: " + answer.absent(), "", "");
        } finally {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.delete(folder);
        }
    }

    /** How many of the others' neighbours are ours. */
    private String recall(Tensor a, Tensor b, Tensor others) {
        long[] found = others.toLongArray();
        long[] ours = NearestRows.of(a, b, K, VectorMetric.EUCLIDEAN, device, Threads.local())
                .indices()
                .toLongArray();
        int common = 0;
        for (int i = 0; i < ours.length; i++) {
            int row = i / K * K;
            long one = ours[i];
            common += Arrays.stream(found, row, row + K).anyMatch(other -> other == one) ? 1 : 0;
        }
        return String.format(", of which %.6f are Broadloom's", common / (double) ours.length);
    }

    private static String row(String who, Seconds seconds) {
        return GpuReport.row(who, String.format("%.3f", seconds.median()), String.format("%.3f", seconds.min()));
    }
}
