package io.github.broadloom.bench.checks;

import io.github.broadloom.cuda.driver.MissingKernels;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Console;
import java.io.IOException;

/** One of the checks of {@code gpu-check}. */
interface GpuCheck {
    String heading();

    /** Hears what was found so far, so that what ends the process leaves it. */
    @FunctionalInterface
    interface SoFar {
        void found(GpuReport.Section section) throws IOException;
    }

    /** Runs it, and says on the console what fails while it does. */
    GpuReport.Section run(Console console, SoFar soFar) throws IOException;

    /** Runs it; what stops it is what it found. Where the CPU computed for want of a kernel, that is a failure, right as the values are. */
    default GpuReport.Section outcome(Console console, SoFar soFar) {
        long before = GpuCounter.ON_CPU_FOR_KERNELS.sum();
        try {
            GpuReport.Section section = run(console, soFar);
            long onCpu = GpuCounter.ON_CPU_FOR_KERNELS.sum() - before;
            return onCpu == 0
                    ? section
                    : new GpuReport.Section(
                            section.heading(),
                            false,
                            section.summary() + "; the CPU computed " + onCpu + " for want of kernels",
                            section.markdown() + "\n" + GpuReport.verbatim(MissingKernels.told()));
        } catch (IOException | RuntimeException | LinkageError | AssertionError e) {
            return new GpuReport.Section(heading(), false, Complaint.about(e).sentence(), "");
        }
    }
}
