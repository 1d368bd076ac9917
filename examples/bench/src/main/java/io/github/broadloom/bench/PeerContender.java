package io.github.broadloom.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.cuda.driver.CudaMemory;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/**
 * Another library, each workload in a process of its own: the memory of one measurement is not that of the next. The
 * process reads the workload as one JSON object and answers with another; see {@code bench/peers.py}.
 */
final class PeerContender implements Contender {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_REASON = 300;

    private final String who;
    private final List<String> command;
    private final Device device;
    private final int threads;
    private final long timeoutSeconds;

    PeerContender(String who, List<String> command, Device device, int threads, long timeoutSeconds) {
        this.who = who;
        this.command = List.copyOf(command);
        this.device = device;
        this.threads = threads;
        this.timeoutSeconds = timeoutSeconds;
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        if (!device.isCpu()) {
            CudaMemory.freeKept(device); // the process shall have all of it
        }
        try {
            return outcome(Child.run(command, JSON.writeValueAsBytes(job(workload, rounds)), threads, timeoutSeconds));
        } catch (JsonProcessingException e) {
            return Outcome.absent("its answer cannot be read");
        } catch (IOException e) {
            return Outcome.absent("cannot start " + command.get(0));
        }
    }

    private Outcome outcome(Child.End end) throws JsonProcessingException {
        if (end.exitCode() == Child.End.TIMED_OUT) {
            return Outcome.absent("no result after " + timeoutSeconds + " s");
        }
        if (end.exitCode() != 0 || !end.answer().startsWith("{")) {
            String complaint = end.complaint().isEmpty() ? "" : ": " + end.complaint();
            return Outcome.absent(shortened("it ended with exit code " + end.exitCode() + complaint));
        }
        JsonNode answer = JSON.readTree(end.answer());
        if (answer.has("absent")) {
            return Outcome.absent(shortened(answer.get("absent").asText()));
        }
        Shape shape = Shape.of(StreamSupport.stream(answer.path("shape").spliterator(), false)
                .mapToLong(JsonNode::asLong)
                .toArray());
        List<Double> samples = numbers(answer.path("sample")).boxed().toList();
        return Outcome.measured(
                Seconds.of(numbers(answer.path("seconds")).toArray()),
                answer.path("version").asText(),
                new ContenderAnswer(shape, ContenderAnswer.Kind.SAMPLES, samples));
    }

    private static DoubleStream numbers(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).mapToDouble(JsonNode::asDouble);
    }

    private static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
    }

    private ObjectNode job(Workload workload, Rounds rounds) {
        ObjectNode job = JSON.createObjectNode();
        job.put("who", who);
        job.put("workload", workload.name());
        job.put("text", workload.text());
        job.put("device", device.toString());
        job.put("place", workload.place().name().toLowerCase(Locale.ROOT));
        job.put("threads", threads);
        job.put("warm_up", rounds.warmUp());
        job.put("warm_up_seconds", rounds.warmUpSeconds());
        job.put("measured", rounds.measured());
        job.put("samples", ContenderAnswer.SAMPLES);
        job.put("block", WorkloadInputs.BLOCK);
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
