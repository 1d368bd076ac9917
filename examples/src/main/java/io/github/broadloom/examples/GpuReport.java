package io.github.broadloom.examples;

import io.github.broadloom.device.cuda.CudaPart;
import io.github.broadloom.examples.conformance.Tally;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code gpu-check} found, as Markdown.
 *
 * @param title which program, on which machine
 * @param parts what there is, and what is missing
 * @param architecture that kernels were compiled for
 * @param compiled the kernels of each workload; none where there is no compiler
 * @param vectors how the conformance vectors did on the GPU, by file; none where there is no GPU
 */
record GpuReport(
        String title, List<CudaPart> parts, String architecture, List<Compiled> compiled, Map<String, Tally> vectors) {

    /**
     * The kernels of one workload.
     *
     * @param kernels how many there are
     * @param millis how long the compiler took for all of them
     * @param bytes of their machine code
     */
    record Compiled(String workload, String title, int kernels, double millis, long bytes) {
        /** One line for people. */
        String line() {
            return String.format(
                    Locale.ROOT,
                    "%-4s %d %s %6.0f ms %9s  %s",
                    workload,
                    kernels,
                    kernels == 1 ? "kernel " : "kernels",
                    millis,
                    ByteSize.inWords(bytes),
                    title);
        }
    }

    GpuReport {
        parts = List.copyOf(parts);
        compiled = List.copyOf(compiled);
    }

    /** Whether nothing that ran failed. */
    boolean isSound() {
        return vectors.values().stream().allMatch(tally -> tally.failed() == 0);
    }

    void write(OutputStream out) throws IOException {
        out.write(markdown().getBytes(StandardCharsets.UTF_8));
    }

    private String markdown() {
        StringBuilder page = new StringBuilder("# GPU check\n\n").append(title).append("\n\n");
        page.append("| part | usable | what was found |\n|---|---|---|\n");
        for (CudaPart part : parts) {
            row(page, part.name(), part.present() ? "yes" : "no", part.description());
        }
        if (!compiled.isEmpty()) {
            page.append("\n## Kernels of the benchmark, compiled for ")
                    .append(architecture)
                    .append("\n\n");
            page.append("| workload | | kernels | compiled in ms | machine code |\n|---|---|---:|---:|---:|\n");
            for (Compiled workload : compiled) {
                String millis = String.format(Locale.ROOT, "%.0f", workload.millis);
                String size = ByteSize.inWords(workload.bytes);
                row(page, workload.workload, workload.title, workload.kernels, millis, size);
            }
        }
        if (!vectors.isEmpty()) {
            page.append("\n## Conformance vectors on the GPU\n\n| file | result |\n|---|---|\n");
            vectors.forEach((file, tally) -> row(page, file, tally));
        }
        return page.toString();
    }

    private static void row(StringBuilder page, Object... cells) {
        page.append('|');
        for (Object cell : cells) {
            page.append(' ').append(String.valueOf(cell).replace("|", "\\|")).append(" |");
        }
        page.append('\n');
    }
}
