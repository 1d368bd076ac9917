package io.github.broadloom.connect;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.parse.OpsPage;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.spark.PythonGateway;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * One thing to do for a client, in texts: {@code verb}, by what it is called in Java; {@code on}, {@code operands}, the tensors it is done with; {@code id}, the name of
 * the tensor that it makes; {@code device} and {@code chunkBytes}, settings of {@link Broadloom}; {@code released}, tensors that the client has forgotten.
 */
record Request(SparkSession session, CaseInsensitiveStringMap options) {
    /** Up to here elements are a part of the answer; more of them come as a table. */
    private static final long ANSWER_BYTES = 1 << 20;

    private String option(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Cannot do a request without " + name);
        }
        return value;
    }

    private List<String> list(String name) {
        String joined = option(name);
        return joined.isEmpty() ? List.of() : Arrays.asList(joined.split(","));
    }

    /** Failures are told as the client would tell its own, rather than as failures of a query. */
    Answer answer() {
        try {
            SessionTensors tensors = SessionTensors.of(session);
            if (options.containsKey("released")) {
                list("released").forEach(tensors::remove);
            }
            return answer(option("verb"), tensors);
        } catch (IOException | RuntimeException e) {
            return Answer.failed(e);
        }
    }

    private Answer answer(String verb, SessionTensors tensors) throws IOException {
        if (options.containsKey("id")) {
            DistributedTensor made = make(verb, tensors);
            tensors.put(option("id"), made);
            return Answer.made(made);
        }
        if (!options.containsKey("on")) {
            Broadloom.on(session);
            return switch (verb) {
                case "operations" -> Answer.text(OpsPage.markdown());
                case "writeAll" -> allWritten(tensors);
                default -> settings();
            };
        }
        DistributedTensor x = tensors.get(option("on"));
        if (verb.equals("append")) {
            x.append(option("path"), Integer.parseInt(option("dim")));
            return Answer.NONE;
        }
        return verb.equals("elements") ? elements(x) : verb.startsWith("write") ? written(x, verb) : told(x, verb);
    }

    private Answer settings() {
        broadloom();
        return Answer.NONE;
    }

    private Broadloom broadloom() {
        Broadloom broadloom = Broadloom.on(session);
        if (options.containsKey("device")) {
            broadloom = broadloom.withDevice(Device.of(option("device")));
        }
        return options.containsKey("chunkBytes")
                ? broadloom.withChunkBytes(Long.parseLong(option("chunkBytes")))
                : broadloom;
    }

    private DistributedTensor make(String verb, SessionTensors tensors) throws IOException {
        Broadloom broadloom = broadloom();
        return switch (verb) {
            case "tensor" -> PythonGateway.tensor(broadloom, array(), Integer.parseInt(option("chunks")));
            case "readNpy" -> broadloom.readNpy(option("path"), ManifestMode.valueOf(option("mode")));
            case "read" ->
                PythonGateway.read(
                        broadloom,
                        option("path"),
                        option("format"),
                        option("join"),
                        Integer.parseInt(option("dim")),
                        option("mode"));
            case "made" -> PythonGateway.made(broadloom, option("name"), option("dtype"), sizes(), numbers());
            case "rechunk" -> PythonGateway.rechunk(tensors.get(option("on")), sizes());
            case "readArrow" -> broadloom.readArrow(option("path"), ManifestMode.valueOf(option("mode")));
            case "fromDataFrame" -> fromDataFrame(broadloom);
            case "eval" -> broadloom.eval(option("text"), named(tensors));
            case "call" -> PythonGateway.call(broadloom, option("text"), operands(tensors));
            case "to" -> tensors.get(option("on")).to(Device.of(option("to")));
            default -> throw unknown(verb);
        };
    }

    private List<Long> sizes() {
        return list("sizes").stream().map(Long::valueOf).toList();
    }

    private List<Object> numbers() {
        return list("numbers").stream().map(Request::number).toList();
    }

    private static IllegalArgumentException unknown(String verb) {
        return new IllegalArgumentException(
                "Cannot " + verb + ": the package of the client and the jar of the server are of different versions");
    }

    /** Of a client's array the bytes as a npy file: a few in the request, many in a table of parts. */
    private Tensor array() throws IOException {
        if (options.containsKey("npy")) {
            return Npy.read(new ByteArrayInputStream(Base64.getDecoder().decode(option("npy"))), "array");
        }
        List<InputStream> parts = new ArrayList<>();
        for (Row row : session.table(option("view")).sort("place").collectAsList()) {
            parts.add(new ByteArrayInputStream(row.getAs("part")));
        }
        return Npy.read(new SequenceInputStream(Collections.enumeration(parts)), "array");
    }

    private DistributedTensor fromDataFrame(Broadloom broadloom) {
        Dataset<Row> table = session.table(option("view"));
        return options.containsKey("order")
                ? broadloom.fromDataFrame(table, option("column"), option("order"))
                : broadloom.fromDataFrame(table, option("column"));
    }

    private List<DistributedTensor> operands(SessionTensors tensors) {
        return list("operands").stream().map(tensors::get).toList();
    }

    private Map<String, Object> named(SessionTensors tensors) {
        Map<String, Object> named = new LinkedHashMap<>();
        List<String> operands = list("operands");
        for (String name : list("names")) {
            String operand = operands.get(named.size());
            named.put(name, operand.startsWith("=") ? number(operand.substring(1)) : tensors.get(operand));
        }
        return named;
    }

    /** As Python writes it, and py4j reads it. */
    private static Object number(String text) {
        return switch (text) {
            case "True", "False" -> Boolean.parseBoolean(text);
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> text.matches("-?\\d+") ? (Object) Long.valueOf(text) : Double.valueOf(text);
        };
    }

    private static Answer told(DistributedTensor x, String verb) {
        return switch (verb) {
            case "toString" -> Answer.text(x.toString());
            case "toHtml" -> Answer.text(x.toHtml());
            case "explain" -> Answer.text(PythonGateway.explain(x));
            case "explainSource" -> Answer.text(x.explain(Detail.SOURCE));
            case "device" -> Answer.text(x.device().toString());
            case "chunks" -> Answer.text(String.valueOf(x.chunks()));
            case "cache" -> kept(x.cache());
            case "materialize" -> kept(x.materialize());
            case "checkpoint" -> kept(x.checkpoint());
            case "unpersist" -> kept(x.unpersist());
            default -> throw unknown(verb);
        };
    }

    /** The same tensor, after something was done to it. */
    private static Answer kept(DistributedTensor x) {
        return Answer.made(x);
    }

    private Answer written(DistributedTensor x, String verb) throws IOException {
        WriteMode mode = WriteMode.valueOf(option("mode"));
        if (verb.equals("write")) {
            x.write(option("path"), mode);
        } else if (verb.equals("writeNpy")) {
            x.writeNpy(option("path"), mode);
        } else if (verb.equals("writeArrow")) {
            x.writeArrow(option("path"), mode);
        } else {
            throw unknown(verb);
        }
        return Answer.NONE;
    }

    private Answer allWritten(SessionTensors tensors) throws IOException {
        Map<String, DistributedTensor> files = new LinkedHashMap<>();
        for (DistributedTensor tensor : operands(tensors)) {
            files.put(option("path" + files.size()), tensor);
        }
        broadloom().writeAll(files, WriteMode.valueOf(option("mode")));
        return Answer.NONE;
    }

    private static Answer elements(DistributedTensor x) throws IOException {
        if (x.shape().numel() * x.dtype().bytes() > ANSWER_BYTES) {
            return Answer.NONE;
        }
        ByteArrayOutputStream npy = new ByteArrayOutputStream();
        Npy.write(PythonGateway.elements(x), npy);
        return Answer.elements(npy.toByteArray());
    }
}
