package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Workload;
import io.github.broadloom.bench.WorkloadKernels;
import io.github.broadloom.bench.dryrun.DryRunGpu;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.Cubin;
import io.github.broadloom.cuda.compiler.CubinJar;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.cuda.compiler.NoKernelException;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Compiles kernels ahead, side by side, into a jar: on the class path of a machine it stands for NVRTC. They are those of workloads, and those that other checks would
 * run on a GPU: the checks run {@linkplain DryRunGpu in a dry run} to know them.
 *
 * @param workloads whose operands are on the GPU
 * @param dryRun checks of {@link DryRunGpu#DEVICE}
 * @param architectures as {@code sm_90}
 */
record CubinsCheck(Path file, List<Workload> workloads, List<GpuCheck> dryRun, List<String> architectures)
        implements GpuCheck {
    /** Few enough for a bar that moves, many enough for the threads that compile them. */
    private static final int AT_A_TIME = 32;

    @Override
    public String heading() {
        return "Kernels compiled ahead for " + String.join(", ", architectures);
    }

    @Override
    public GpuReport.Section run(Console console, SoFar soFar) throws IOException {
        StringBuilder table = new StringBuilder("| of | kernels, each once |\n|---|---:|\n");
        Set<CudaSource> sources = new LinkedHashSet<>();
        workloads.forEach(workload -> sources.addAll(WorkloadKernels.of(workload)));
        table.append(GpuReport.row("Workloads of the benchmark", sources.size()));
        List<String> unsound = new ArrayList<>();
        for (GpuCheck check : dryRun) {
            int before = sources.size();
            sources.addAll(DryRunGpu.kernels(() -> {
                GpuReport.Section found = check.outcome(console, section -> {});
                if (!found.sound()) {
                    unsound.add(check.heading() + ": " + found.summary());
                }
            }));
            table.append(GpuReport.row(check.heading(), sources.size() - before));
        }
        Queue<NoKernelException> missing = new ConcurrentLinkedQueue<>();
        List<Cubin> cubins = compiled(List.copyOf(sources), missing);
        CubinJar.write(file, cubins);
        console.wrote(file, cubins.size() + " compiled kernels");
        missing.forEach(reason -> unsound.add(Complaint.about(reason).sentence()));
        String details = table + (unsound.isEmpty() ? "" : "\n" + GpuReport.verbatim(unsound));
        return new GpuReport.Section(heading(), unsound.isEmpty(), sources.size() + " kernels for each", details);
    }

    private List<Cubin> compiled(List<CudaSource> sources, Queue<NoKernelException> missing) {
        List<Cubin> cubins = new ArrayList<>();
        try (Progress progress = Progress.of("kernels", sources.size())) {
            for (int first = 0; first < sources.size(); first += AT_A_TIME) {
                List<CudaSource> some = sources.subList(first, Math.min(sources.size(), first + AT_A_TIME));
                cubins.addAll(Cubins.shared().cubins(some, architectures, missing::add));
                some.forEach(source -> progress.step());
            }
        }
        return cubins;
    }
}
