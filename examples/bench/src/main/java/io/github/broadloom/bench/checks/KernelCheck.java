package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Workload;
import io.github.broadloom.bench.WorkloadKernels;
import io.github.broadloom.bench.Workloads;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.CudaCompiler;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Console;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Compiles the kernels of the benchmark's workloads for an architecture, as {@code sm_90}, which takes NVRTC and no GPU. */
record KernelCheck(String architecture) implements GpuCheck {
    @Override
    public String heading() {
        return "Kernels of the benchmark, compiled for " + architecture;
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        CudaCompiler compiler = CudaCompiler.nvrtc();
        StringBuilder table = new StringBuilder(
                "| workload | | kernels | compiled in ms | machine code |\n|---|---|---:|---:|---:|\n");
        int kernels = 0;
        long start = System.nanoTime();
        for (Workload workload : Workloads.all()) {
            List<CudaSource> sources = WorkloadKernels.of(workload);
            long began = System.nanoTime();
            long bytes = 0;
            for (CudaSource source : sources) {
                bytes += compiler.compile(source, architecture).length;
            }
            kernels += sources.size();
            String millis = millisSince(began);
            String size = ByteSize.inWords(bytes);
            console.say(
                    "%-4s %2d kernels %6s ms %9s  %s", workload.name(), sources.size(), millis, size, workload.title());
            table.append(GpuReport.row(workload.name(), workload.title(), sources.size(), millis, size));
            soFar.found(section(kernels, start, table));
        }
        return section(kernels, start, table);
    }

    private GpuReport.Section section(int kernels, long start, StringBuilder table) {
        String summary = kernels + " kernels in " + millisSince(start) + " ms";
        return new GpuReport.Section(heading(), true, summary, table.toString());
    }

    private static String millisSince(long nanos) {
        return String.format(Locale.ROOT, "%.0f", (System.nanoTime() - nanos) / 1e6);
    }
}
