package io.github.broadloom.bench;

import io.github.broadloom.device.Devices;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machine a measurement was made on, in one line. */
public final class Machine {
    private static final String GPUS = "cuda: ";
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** For instance {@code Intel(R) Xeon(R) …, 2 processors, Linux 6.1 amd64, JDK 17.0.15}; before it the GPUs, where there are some. */
    public static String describe() {
        String processor = gpus() + processorName().map(name -> name + ", ").orElse("");
        return processor + Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name")
                + " " + System.getProperty("os.arch") + ", JDK " + System.getProperty("java.version");
    }

    private static String gpus() {
        return Devices.describe().stream()
                .filter(line -> line.startsWith(GPUS) && Devices.isAvailable(Device.of("cuda")))
                .map(line -> line.substring(GPUS.length()) + "; ")
                .collect(Collectors.joining());
    }

    private static Optional<String> processorName() {
        try (Stream<String> lines = Files.lines(CPU_INFO, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty(); // not Linux
        }
    }
}
