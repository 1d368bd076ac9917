package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.KernelSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** NVIDIA's compiler, where there is one: what it says of kernels, many in a file. */
final class Nvcc {
    private static final Optional<Path> PROGRAM = Stream.of(
                    System.getProperty("broadloom.nvcc", ""),
                    System.getenv().getOrDefault("CUDA_HOME", "") + "/bin/nvcc",
                    "/usr/local/cuda/bin/nvcc",
                    "/usr/local/cuda-13.0/bin/nvcc",
                    "/usr/local/cuda-12.9/bin/nvcc")
            .filter(path -> !path.isEmpty())
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();

    private Nvcc() {}

    static boolean isMissing() {
        return PROGRAM.isEmpty();
    }

    /** The architectures that it compiles for, as {@code sm_90}. */
    static Set<String> architectures() {
        try {
            return Set.of(run(List.of(PROGRAM.orElseThrow().toString(), "--list-gpu-code"))
                    .split("\\s+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles kernels.
     *
     * @param architecture as {@code sm_90}
     * @return what each uses, in some order
     * @throws AssertionError with what nvcc says, where it refuses one
     */
    static List<PtxasUsage> compile(List<CudaSource> sources, String architecture) {
        try {
            Path folder = Files.createTempDirectory("broadloom-nvcc");
            Path file = Files.writeString(
                    folder.resolve("kernels.cu"),
                    KernelSources.together(sources).text());
            Path cubin = folder.resolve("kernels.cubin");
            String said = run(List.of(
                    PROGRAM.orElseThrow().toString(),
                    "-arch=" + architecture,
                    "-cubin",
                    "--fmad=false",
                    "-Xptxas",
                    "-v",
                    "-o",
                    cubin.toString(),
                    file.toString()));
            for (Path left : List.of(cubin, file, folder)) {
                Files.deleteIfExists(left);
            }
            return PtxasUsage.read(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(said);
            }
            return said;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Cannot compile: interrupted", e);
        }
    }
}
