package io.github.broadloom.peers;

import com.google.gson.Gson;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Measures one workload with one library. Reads a {@link Job} from standard input; writes one line of JSON: either version,
 * seconds, shape and sample, or absent with the reason.
 */
public final class Peer {
    private Peer() {}

    public static void main(String[] arguments) throws Exception {
        Job job;
        try (Reader reader = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
            job = Job.read(reader);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            measure(job, answer);
        } catch (Library.InexpressibleException e) {
            answer.put("absent", e.getMessage());
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            answer.clear();
            answer.put("absent", String.valueOf(e).lines().findFirst().orElse("failed"));
        }
        System.out.println(new Gson().toJson(answer));
        System.exit(0); // both libraries leave threads behind
    }

    private static void measure(Job job, Map<String, Object> answer) {
        Library library = library(job);
        long begin = System.nanoTime();
        for (int i = 0; i < job.warmUp() || since(begin) < job.warmUpSeconds(); i++) {
            library.compute();
        }
        double[] seconds = new double[job.measured()];
        for (int i = 0; i < seconds.length; i++) {
            long start = System.nanoTime();
            library.compute();
            seconds[i] = since(start);
        }
        answer.put("version", library.version());
        answer.put("seconds", seconds);
        answer.put("shape", library.shape());
        answer.put("sample", sample(library, job.samples()));
    }

    private static double since(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    private static Library library(Job job) {
        return switch (job.who()) {
            case "djl" -> new Djl(job);
            case "nd4j" -> new Nd4jLibrary(job);
            default -> throw new Library.InexpressibleException("there is no " + job.who() + " here");
        };
    }

    private static double[] sample(Library library, int samples) {
        long count = 1;
        for (long size : library.shape()) {
            count *= size;
        }
        long[] indices = new long[(int) Math.min(count, samples)];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = indices.length == 1 ? 0 : i * (count - 1) / (indices.length - 1);
        }
        return Arrays.stream(library.elements(indices))
                .map(element -> Double.parseDouble(String.format(Locale.ROOT, "%.9g", element)))
                .toArray();
    }
}
