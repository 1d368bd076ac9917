package io.github.broadloom.bench;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a local evaluation takes of the machine's memory at its peak, on the heap and off it: the growth of a process's
 * resident memory, as Linux counts it, over one evaluation. Each workload has a JVM of its own, in which it was evaluated
 * before, so that neither the loading of classes nor another workload's buffers count.
 *
 * @param grownBytes by how much the process grew, the result included
 */
public record MeasuredPeak(long inputBytes, long resultBytes, long grownBytes) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CLEAR_PEAK = Path.of("/proc/self/clear_refs");
    private static final String PEAK_ONLY = "5";
    private static final int KIBI = 1024;
    private static final int WARM_UP = 3;
    private static final int SETTLED_BYTES = 1 << 18;
    private static final int READING_MILLIS = 500;
    private static final int MOST_READINGS = 10;
    private static final long TIMEOUT_SECONDS = 300;

    /** Operands, result and whatever else there was at the peak. */
    public long peakBytes() {
        return inputBytes + grownBytes;
    }

    /** What was there besides the operands and the result. */
    public long besidesBytes() {
        return grownBytes - resultBytes;
    }

    /** Measures a workload in a JVM with this one's options; nothing where the system does not count. */
    public static Optional<MeasuredPeak> of(Workload workload, int threads) throws IOException {
        if (!Files.isReadable(STATUS) || !Files.exists(CLEAR_PEAK)) {
            return Optional.empty();
        }
        List<String> command = Child.java(
                List.of("-D" + DeviceSettings.THREADS.name() + "=" + threads), MeasuredPeak.class, workload.name());
        Child.End end = Child.run(command, new byte[0], threads, TIMEOUT_SECONDS);
        if (end.exitCode() != 0) {
            throw new IOException("Cannot measure the memory of " + workload.name()
                    + ": the process ended with exit code " + end.exitCode() + "; " + end.complaint());
        }
        long result = workload.result().bytes();
        // Pages of the heap that the collector gives back meanwhile make the process smaller.
        long grown = Math.max(result, Long.parseLong(end.answer()));
        return Optional.of(new MeasuredPeak(workload.bytes() - result, result, grown));
    }

    /** The process: prints by how many bytes it grew. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Workload workload = Workloads.find(arguments[0]).orElseThrow();
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, Device.CPU);
        for (int i = 0; i < WARM_UP; i++) {
            workload.evaluate(inputs, Device.CPU).release();
        }
        Memory.trim();
        System.gc();
        long before = settled();
        Files.writeString(CLEAR_PEAK, PEAK_ONLY);
        workload.evaluate(inputs, Device.CPU).release();
        System.out.println(status("VmHWM:") - before);
        WorkloadInputs.release(inputs);
    }

    /** The resident memory, once the collector's threads have given back what they give back. */
    private static long settled() throws IOException, InterruptedException {
        long last = status("VmRSS:");
        for (int reading = 0; reading < MOST_READINGS; reading++) {
            Thread.sleep(READING_MILLIS);
            long now = status("VmRSS:");
            if (Math.abs(now - last) < SETTLED_BYTES) {
                return now;
            }
            last = now;
        }
        return last;
    }

    private static long status(String field) throws IOException {
        try (Stream<String> lines = Files.lines(STATUS, StandardCharsets.US_ASCII)) {
            String line =
                    lines.filter(text -> text.startsWith(field)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) * KIBI;
        }
    }
}
