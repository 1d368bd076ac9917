package io.github.broadloom.testkit.random;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A Python process that evaluates expressions with PyTorch. */
final class TorchProcess implements AutoCloseable {
    /** The system property that names a Python interpreter with PyTorch; by default {@code python3}. */
    static final String INTERPRETER = "broadloom.python";

    @SuppressWarnings("deprecation") // the replacement is newer than the Jackson of some Spark versions
    private static final ObjectMapper JSON =
            new ObjectMapper().configure(JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS, true);

    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    private TorchProcess(Process process) {
        this.process = process;
        this.requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts it, if there is an interpreter with PyTorch. */
    static Optional<TorchProcess> start(Path folder) throws IOException, InterruptedException {
        String python = System.getProperty(INTERPRETER, "python3");
        try {
            Process probe = new ProcessBuilder(python, "-c", "import torch")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("probe.txt").toFile())
                    .start();
            if (!probe.waitFor(60, TimeUnit.SECONDS) || probe.exitValue() != 0) {
                probe.destroyForcibly();
                return Optional.empty();
            }
        } catch (IOException noInterpreter) {
            return Optional.empty();
        }
        Path script = folder.resolve("torch_oracle.py");
        try (InputStream source = TorchProcess.class.getResourceAsStream("/torch_oracle.py")) {
            Files.write(script, source.readAllBytes());
        }
        return Optional.of(new TorchProcess(new ProcessBuilder(python, script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()));
    }

    /** What PyTorch makes of that text: a tensor, or a refusal. */
    Answer ask(String text, Map<String, Tensor> names) throws IOException {
        ObjectNode request = JSON.createObjectNode().put("text", text);
        ObjectNode tensors = request.putObject("names");
        names.forEach((name, tensor) -> tensors.putObject(name)
                .put("dtype", tensor.dtype().torchName())
                .putPOJO("shape", tensor.shape().toArray())
                .putPOJO("values", tensor.values()));
        requests.write(JSON.writeValueAsString(request) + "\n");
        requests.flush();
        return new Answer(JSON.readTree(answers.readLine()));
    }

    /** A tensor, or the first line of PyTorch's refusal. */
    record Answer(JsonNode json) {
        /** Whether Python refused the types of the arguments, before PyTorch looked at the tensors. */
        boolean isUntyped() {
            return json.has("untyped");
        }

        Optional<String> error() {
            return Optional.ofNullable(json.get("error")).map(JsonNode::asText);
        }

        Tensor tensor() {
            DType dtype = DType.of(json.get("dtype").asText());
            List<Object> values = new ArrayList<>();
            for (JsonNode value : json.get("values")) {
                values.add(
                        switch (dtype.kind()) {
                            case BOOL -> value.booleanValue();
                            case INTEGER -> value.longValue();
                            case FLOATING -> value.doubleValue();
                        });
            }
            long[] sizes = JSON.convertValue(json.get("shape"), long[].class);
            return Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(sizes)), values);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
