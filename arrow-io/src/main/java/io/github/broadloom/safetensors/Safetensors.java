package io.github.broadloom.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.RowMajor;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes safetensors files, as the format's own library lays them out. */
public final class Safetensors {
    /** Of the elements, so that those who map the file find each at an address that its dtype may have. */
    private static final int ALIGNMENT = 8;

    private Safetensors() {}

    /**
     * Writes tensors by name. The file appears under its name when it is complete; where writing fails, everything is as it was.
     *
     * @param metadata texts about the file
     * @throws java.nio.file.FileAlreadyExistsException under {@link WriteMode#CREATE}, where the file exists
     * @throws IllegalArgumentException where a tensor is called {@code __metadata__}
     */
    public static void write(Map<String, Tensor> tensors, Map<String, String> metadata, Path file, WriteMode mode)
            throws IOException {
        // The widest elements first, so that all lie aligned; the sort is stable, and names break ties.
        List<Map.Entry<String, Tensor>> inOrder = new TreeMap<>(tensors)
                .entrySet().stream()
                        .sorted(Comparator.comparingInt((Map.Entry<String, Tensor> tensor) ->
                                -tensor.getValue().dtype().bytes()))
                        .toList();
        List<Named> named = inOrder.stream()
                .map(tensor -> new Named(
                        tensor.getKey(),
                        tensor.getValue().dtype(),
                        tensor.getValue().shape()))
                .toList();
        byte[] head = head(file.toString(), named, metadata);
        AtomicFile.write(file, mode, out -> {
            write(ByteBuffer.wrap(head), out);
            for (Map.Entry<String, Tensor> tensor : inOrder) {
                RowMajor.write(tensor.getValue(), out);
            }
        });
    }

    private static void write(ByteBuffer bytes, WritableByteChannel out) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** A tensor whose elements follow those of the one before. */
    record Named(String name, DType dtype, Shape shape) {}

    /** All before the first element. */
    static byte[] head(String target, List<Named> tensors, Map<String, String> metadata) throws IOException {
        if (tensors.stream().anyMatch(tensor -> tensor.name().equals(SafetensorsHeader.METADATA))) {
            throw new IllegalArgumentException("Cannot write " + target + ": no tensor may be called '"
                    + SafetensorsHeader.METADATA + "' there; choose another name");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            if (!metadata.isEmpty()) {
                json.writeObjectFieldStart(SafetensorsHeader.METADATA);
                for (Map.Entry<String, String> text : new TreeMap<>(metadata).entrySet()) {
                    json.writeStringField(text.getKey(), text.getValue());
                }
                json.writeEndObject();
            }
            long begin = 0;
            for (Named tensor : tensors) {
                long end = begin + tensor.dtype().sizeBytes(tensor.shape().numel());
                json.writeObjectFieldStart(tensor.name());
                json.writeStringField("dtype", SafetensorsDTypes.name(tensor.dtype()));
                writeNumbers(json, "shape", tensor.shape().toArray());
                writeNumbers(json, "data_offsets", begin, end);
                json.writeEndObject();
                begin = end;
            }
            json.writeEndObject();
        }
        while (bytes.size() % ALIGNMENT != 0) {
            bytes.write(' ');
        }
        return ByteBuffer.allocate(Long.BYTES + bytes.size())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes.size())
                .put(bytes.toByteArray())
                .array();
    }

    private static void writeNumbers(JsonGenerator json, String name, long... numbers) throws IOException {
        json.writeFieldName(name);
        json.writeArray(numbers, 0, numbers.length);
    }
}
