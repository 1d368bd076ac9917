package io.github.broadloom.bench.checks;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.code.PtxasUsage;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What NVIDIA's compiler says of kernels: what they need of a multiprocessor, and how they load. */
final class NvccKernels {
    private static final Pattern NAME = Pattern.compile("_ZN(\\d+)kernel(\\S+)");
    private static final Pattern ENTRY =
            Pattern.compile("(?s)\\.visible \\.entry (_ZN[^(]+)\\(.*?\\)\\s.*?\\{(.*?)\\n\\}");
    private static final Pattern LOAD = Pattern.compile("ld\\.global\\S*?(?:\\.v(\\d))?\\.[a-z](\\d+)\\s");
    private static final Pattern THREADS = Pattern.compile("__launch_bounds__\\((\\d+)");

    private NvccKernels() {}

    /**
     * One kernel.
     *
     * @param spilledBytes that are written to and read from local memory
     * @param loadBytes the bytes of each load from global memory in the stretch without branches that loads most
     */
    record Kernel(int threads, int registers, int spilledBytes, int sharedBytes, List<Integer> loadBytes) {
        int bytesInFlight() {
            return loadBytes.stream().mapToInt(Integer::intValue).sum();
        }

        /** As {@code 4 x 16 B}, the widest first. */
        String loads() {
            TreeMap<Integer, Integer> counts = new TreeMap<>();
            loadBytes.forEach(bytes -> counts.merge(bytes, 1, Integer::sum));
            List<String> words = new ArrayList<>();
            counts.descendingMap().forEach((bytes, count) -> words.add(count + " × " + bytes + " B"));
            return String.join(", ", words);
        }
    }

    /** The compiler that was named, or that of a toolkit. */
    static Path find(String named) {
        String home = System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda");
        List<String> places = named.isEmpty() ? List.of(home + "/bin/nvcc", "/usr/local/bin/nvcc") : List.of(named);
        return places.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new UserError("Cannot find nvcc: it is not " + String.join(" nor ", places)
                        + "; install a CUDA toolkit, or name it with --nvcc"));
    }

    /** Compiles kernels together, which takes little longer than one, for an architecture, as {@code sm_90}. */
    static List<Kernel> of(List<CudaSource> sources, Path nvcc, String architecture) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sources.size(); i++) {
            String kernel = sources.get(i).text().replace("extern \"C\"", "");
            text.append("namespace kernel%d {\n%s}\n".formatted(i, kernel));
        }
        Path folder = Files.createTempDirectory("broadloom-kernels");
        try {
            Path file = Files.writeString(folder.resolve("kernels.cu"), text);
            String said = run(
                    folder,
                    nvcc.toString(),
                    "-arch=" + architecture,
                    "-cubin",
                    "--fmad=false",
                    "--keep",
                    "-Xptxas",
                    "-v",
                    file.toString());
            return read(sources, said, Files.readString(folder.resolve("kernels.ptx")));
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** What the compiler said of kernels in namespaces {@code kernel0}, {@code kernel1} and so on, and their PTX. */
    static List<Kernel> read(List<CudaSource> sources, String said, String ptx) {
        Map<Integer, List<Integer>> loads = ENTRY.matcher(ptx)
                .results()
                .collect(Collectors.toMap(entry -> number(entry.group(1)), entry -> loads(entry.group(2))));
        Kernel[] kernels = new Kernel[sources.size()];
        for (PtxasUsage usage : PtxasUsage.read(said)) {
            int at = number(usage.function());
            Matcher threads = THREADS.matcher(sources.get(at).text());
            kernels[at] = new Kernel(
                    threads.find() ? Integer.parseInt(threads.group(1)) : 0,
                    usage.registers(),
                    usage.spilledBytes(),
                    usage.sharedBytes(),
                    loads.getOrDefault(at, List.of()));
        }
        return List.of(kernels);
    }

    /** Of a mangled name, in which the namespace's length stands before it: {@code 7kernel13add} is number 1. */
    private static int number(String mangled) {
        Matcher name = NAME.matcher(mangled);
        if (!name.matches()) {
            throw new IllegalArgumentException("Cannot tell which kernel is " + mangled);
        }
        int digits = Integer.parseInt(name.group(1)) - "kernel".length();
        return Integer.parseInt(name.group(2).substring(0, digits));
    }

    private static List<Integer> loads(String body) {
        List<Integer> most = List.of();
        for (String stretch : body.split("(?m)^\\$L.*|^.*\\bbra\\b.*")) {
            List<Integer> loads = new ArrayList<>();
            Matcher load = LOAD.matcher(stretch);
            while (load.find()) {
                int elements = load.group(1) == null ? 1 : Integer.parseInt(load.group(1));
                loads.add(elements * Integer.parseInt(load.group(2)) / Byte.SIZE);
            }
            if (loads.stream().mapToInt(Integer::intValue).sum()
                    > most.stream().mapToInt(Integer::intValue).sum()) {
                most = loads;
            }
        }
        return most;
    }

    private static String run(Path folder, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new UserError("Cannot compile with " + Arrays.toString(command) + ": " + said);
            }
            return said;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new UserError("Cannot compile kernels: interrupted");
        }
    }
}
