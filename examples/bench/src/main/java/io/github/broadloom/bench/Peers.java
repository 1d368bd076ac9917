package io.github.broadloom.bench;

import io.github.broadloom.tensor.Device;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The other libraries that can be measured, and how each is started. */
final class Peers {
    /** Of these {@code bench/peers.py} knows how to compute the workloads. */
    private static final List<String> PYTHON =
            List.of("numpy", "numpy+out", "numexpr", "torch", "torch.compile", "jax.jit", "dask");

    /** Of these it knows how to on a GPU. */
    private static final List<String> ON_GPU = List.of("torch", "torch.compile");

    /** Of these the module {@code examples/peers} does. */
    private static final List<String> JVM = List.of("djl", "nd4j");

    private static final String JVM_MAIN = "io.github.broadloom.peers.Peer";

    /** Set by {@code examples/run}: the folder of the module that only {@code -Ppeers} builds. */
    private static final String JVM_FOLDER = "broadloom.peers";

    private Peers() {}

    /** All that can be measured on a device, in the order of the table. */
    static List<String> names(Device device) {
        return device.isCpu() ? Stream.concat(PYTHON.stream(), JVM.stream()).toList() : ON_GPU;
    }

    /** The contender of that name: {@code python} is the interpreter that has the Python libraries. */
    static Contender.Soloist contender(String who, String python, Device device, int threads) throws IOException {
        if (PYTHON.contains(who)) {
            return new PeerContender(who, List.of(python, "-c", script()), device, threads);
        }
        Optional<List<String>> command = jvm();
        if (command.isEmpty()) {
            return new Absent(who, "not built; get it with ./mvnw -Ppeers -pl examples/peers process-classes");
        }
        return new PeerContender(who, command.get(), device, threads);
    }

    private static String script() throws IOException {
        try (InputStream in = Peers.class.getResourceAsStream("/bench/peers.py")) {
            if (in == null) {
                throw new IOException("Cannot find bench/peers.py among the resources; rebuild the examples");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Optional<List<String>> jvm() throws IOException {
        String folder = System.getProperty(JVM_FOLDER);
        if (folder == null) {
            return Optional.empty();
        }
        Path libraries = Path.of(folder, "target", "class-path");
        Path classes = Path.of(folder, "target", "classes");
        if (!Files.exists(libraries) || !Files.exists(classes)) {
            return Optional.empty();
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath =
                classes + File.pathSeparator + Files.readString(libraries).strip();
        String natives = Path.of(folder, "target", "natives").toString(); // unpacked there and not in the user's home
        return Optional.of(List.of(
                java,
                "-DDJL_CACHE_DIR=" + natives,
                "-Dorg.bytedeco.javacpp.cachedir=" + natives,
                "-cp",
                classPath,
                JVM_MAIN));
    }

    private record Absent(String who, String why) implements Contender.Soloist {
        @Override
        public Outcome run(Workload workload, Rounds rounds) {
            return Outcome.absent(why);
        }
    }
}
