package io.github.broadloom.examples.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** A Python library, each workload in a process of its own: the memory of one measurement is not that of the next. */
public final class PythonContender implements Contender {
    /** The libraries that {@code bench/peers.py} knows. */
    public static final List<String> PEERS =
            List.of("numpy", "numpy+out", "numexpr", "torch", "torch.compile", "jax.jit", "dask");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LAST_LINES = 2_000;

    private final String who;
    private final String python;
    private final Path script;
    private final int threads;
    private final long timeoutSeconds;

    public PythonContender(String who, String python, Path script, int threads, long timeoutSeconds) {
        this.who = who;
        this.python = python;
        this.script = script;
        this.threads = threads;
        this.timeoutSeconds = timeoutSeconds;
    }

    /** The script, as bytes of the jar. */
    public static byte[] script() throws IOException {
        try (InputStream in = PythonContender.class.getResourceAsStream("/bench/peers.py")) {
            if (in == null) {
                throw new IOException("Cannot find bench/peers.py among the resources; rebuild the examples");
            }
            return in.readAllBytes();
        }
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        Process process;
        try {
            process = new ProcessBuilder(python, script.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return Outcome.absent("cannot start " + python);
        }
        try {
            try (OutputStream in = process.getOutputStream()) {
                in.write(JSON.writeValueAsBytes(job(workload, rounds)));
            }
            return outcome(process);
        } catch (IOException e) {
            return Outcome.absent("it ended early");
        } finally {
            process.destroyForcibly();
        }
    }

    private Outcome outcome(Process process) throws IOException {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) { // its one line of output fits in the pipe
                return Outcome.absent("no result after " + timeoutSeconds + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("The measurement was interrupted");
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        String last = output.substring(output.lastIndexOf('\n') + 1);
        if (!last.startsWith("{") || last.length() > LAST_LINES * 10) {
            return Outcome.absent("it ended with exit code " + process.exitValue());
        }
        JsonNode answer = JSON.readTree(last);
        if (answer.has("absent")) {
            return Outcome.absent(answer.get("absent").asText());
        }
        double[] seconds = StreamSupport.stream(answer.get("seconds").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        return Outcome.measured(Seconds.of(seconds), answer.get("version").asText());
    }

    private ObjectNode job(Workload workload, Rounds rounds) {
        ObjectNode job = JSON.createObjectNode();
        job.put("who", who);
        job.put("workload", workload.name());
        job.put("text", workload.text());
        job.put("threads", threads);
        job.put("warm_up", rounds.warmUp());
        job.put("measured", rounds.measured());
        ArrayNode operands = job.putArray("operands");
        for (Workload.Operand operand : workload.operands()) {
            ObjectNode node = operands.addObject();
            node.put("name", operand.name());
            node.put("dtype", operand.dtype().torchName());
            node.put("transposed", operand.transposed());
            ArrayNode shape = node.putArray("shape");
            for (long size : operand.shape().toArray()) {
                shape.add(size);
            }
        }
        return job;
    }
}
