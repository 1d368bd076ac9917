package io.github.broadloom.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.cuda.driver.CudaMemory;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/**
 * Another library, each workload in a process of its own: the memory of one measurement is not that of the next. The
 * process reads the workload as one JSON object and answers with another; see {@code bench/peers.py}.
 */
record PeerContender(String who, List<String> command, Device device, int threads) implements Contender.Soloist {
    private static final long TIMEOUT_SECONDS = 600;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_REASON = 300;

    @Override
    public Outcome run(Workload workload, Rounds rounds) {
        if (!device.isCpu()) {
            CudaMemory.freeKept(device); // the process shall have all of it
        }
        try {
            return outcome(Child.run(command, JSON.writeValueAsBytes(job(workload, rounds)), threads, TIMEOUT_SECONDS));
        } catch (JsonProcessingException e) {
            return Outcome.absent("its answer cannot be read");
        } catch (IOException e) {
            return Outcome.absent("cannot start " + command.get(0));
        }
    }

    private Outcome outcome(Child.End end) throws JsonProcessingException {
        if (end.exitCode() == Child.End.TIMED_OUT) {
            return Outcome.absent("no result after " + TIMEOUT_SECONDS + " s");
        }
        if (end.exitCode() != 0 || !end.answer().startsWith("{")) {
            String complaint = end.complaint().isEmpty() ? "" : ": " + end.complaint();
            return Outcome.absent(shortened("it ended with exit code " + end.exitCode() + complaint));
        }
        JsonNode answer = JSON.readTree(end.answer());
        if (answer.has("absent")) {
            return Outcome.absent(shortened(answer.get("absent").asText()));
        }
        Shape shape = Shape.of(
                numbers(answer.path("shape")).mapToLong(size -> (long) size).toArray());
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

    private Map<String, Object> job(Workload workload, Rounds rounds) {
        return Map.ofEntries(
                Map.entry("who", who),
                Map.entry("workload", workload.name()),
                Map.entry("text", workload.text()),
                Map.entry("device", device.toString()),
                Map.entry("place", workload.place().name().toLowerCase(Locale.ROOT)),
                Map.entry("threads", threads),
                Map.entry("warm_up", rounds.warmUp()),
                Map.entry("warm_up_seconds", rounds.warmUpSeconds()),
                Map.entry("measured", rounds.measured()),
                Map.entry("samples", ContenderAnswer.SAMPLES),
                Map.entry("block", WorkloadInputs.BLOCK),
                Map.entry(
                        "operands",
                        workload.operands().stream()
                                .map(PeerContender::described)
                                .toList()));
    }

    private static Map<String, Object> described(Workload.Operand operand) {
        return Map.of(
                "name", operand.name(),
                "dtype", operand.dtype().torchName(),
                "transposed", operand.transposed(),
                "shape", operand.shape().toArray());
    }
}
