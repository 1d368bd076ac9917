package io.github.broadloom.bench;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machine a measurement was made on, in one line. */
public final class Machine {
    private static final String GPUS = "cuda: ";
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** What decides how wide vectors can be, and whether products are fused and halves converted: x86-64's and ARM's, as Linux names them. */
    private static final Set<String> FEATURES = Set.of(
            "sse4_2",
            "avx",
            "avx2",
            "fma",
            "f16c",
            "avx512f",
            "avx512vl",
            "avx512dq",
            "avx512bw",
            "asimd",
            "asimdhp",
            "sve",
            "sve2");

    /**
     * For instance {@code Intel(R) Xeon(R) … (avx avx2 fma), 2 processors, Linux amd64, JDK 17.0.15, vectors of 256 bits}; before it the GPUs, where there are some. The
     * vectors are those that the JVM computes with: {@code -XX:UseAVX=2} makes them narrower than the processor's.
     */
    public static String describe() {
        int bits = Simd.vectorBits();
        return gpus()
                + information("model name")
                        .map(name -> name + features() + ", ")
                        .orElse("")
                + Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", JDK " + System.getProperty("java.version") + ", "
                + (bits == 0 ? "no Vector API" : "vectors of " + bits + " bits");
    }

    private static String features() {
        return information("flags")
                .or(() -> information("Features"))
                .map(all -> Stream.of(all.split(" "))
                        .filter(FEATURES::contains)
                        .collect(Collectors.joining(" ", " (", ")")))
                .orElse("");
    }

    private static String gpus() {
        return Devices.describe().stream()
                .filter(line -> line.startsWith(GPUS) && Devices.isAvailable(Device.of("cuda")))
                .map(line -> line.substring(GPUS.length()) + "; ")
                .collect(Collectors.joining());
    }

    /** What Linux says of the first processor. */
    private static Optional<String> information(String name) {
        try (Stream<String> lines = Files.lines(CPU_INFO, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty(); // not Linux
        }
    }
}
