package io.github.broadloom.tools.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What a name in an expression stands for: {@code NAME=FILE}, {@code NAME=FILE.npz:KEY}, {@code NAME=0.5}, {@code NAME=[1,2,3]}. */
record Binding(String name, String value) {
    /** As a pattern. */
    static final String NAME = "[A-Za-z_][A-Za-z_0-9]*";

    private static final ObjectMapper JSON = new ObjectMapper();

    static Binding parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new TypeConversionException(
                    "Cannot read '" + text + "' as an input: write NAME=FILE, NAME=FILE.npz:KEY or NAME=[0.1,0.2]");
        }
        Binding binding = new Binding(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip());
        if (!binding.name.matches(NAME)) {
            throw new TypeConversionException("Cannot name an input '" + binding.name
                    + "': a name has letters, digits and underscores, and does not start with a digit");
        }
        if (binding.value.isEmpty()) {
            throw new TypeConversionException(
                    "Cannot read the input " + binding.name + ": no file is named after the '='");
        }
        return binding;
    }

    /** Whether its value stands in the text; else that names a file. */
    boolean isInline() {
        return number().isPresent() || list().isPresent();
    }

    /** A plain number (Boolean, Long or Double), which takes part in promotion as a number written in the expression. */
    Optional<Object> number() {
        switch (value) {
            case "True", "true":
                return Optional.of(true);
            case "False", "false":
                return Optional.of(false);
            default:
        }
        try {
            return Optional.of(Long.parseLong(value));
        } catch (NumberFormatException notWhole) {
            boolean looksLikeOne = value.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
            return looksLikeOne ? Optional.of(Double.parseDouble(value)) : Optional.empty();
        }
    }

    /**
     * A nested list as {@code torch.tensor} reads it: bool where all are true or false, int64 where all are whole,
     * float32 otherwise.
     *
     * @throws UserError when the list is not one, or is ragged
     */
    Optional<Tensor> list() {
        if (!value.startsWith("[")) {
            return Optional.empty();
        }
        try {
            JsonNode node = JSON.readTree(value);
            List<Long> sizes = new ArrayList<>();
            for (JsonNode level = node; level != null && level.isArray(); level = level.get(0)) {
                sizes.add((long) level.size());
            }
            List<JsonNode> leaves = new ArrayList<>();
            collect(node, sizes, 0, leaves);
            return Optional.of(
                    tensor(leaves, sizes.stream().mapToLong(Long::longValue).toArray()));
        } catch (JsonProcessingException e) {
            throw notAList(e);
        }
    }

    /** The list, or what is in its file on this machine. */
    Tensor read() throws IOException {
        Optional<Tensor> list = list();
        return list.isPresent() ? list.get() : Address.of(value).read();
    }

    private void collect(JsonNode node, List<Long> sizes, int depth, List<JsonNode> leaves) {
        boolean inside = depth < sizes.size();
        if (node.isArray() != inside || (inside && node.size() != sizes.get(depth))) {
            throw notAList(null);
        }
        if (!inside) {
            if (!node.isNumber() && !node.isBoolean()) {
                throw notAList(null);
            }
            leaves.add(node);
            return;
        }
        for (JsonNode child : node) {
            collect(child, sizes, depth + 1, leaves);
        }
    }

    private UserError notAList(@Nullable Exception cause) {
        String sentence = "Cannot read the input " + name + ": " + value
                + " is not a list of numbers, each row as long as the others, such as [[1,2],[3,4]]";
        return cause == null ? new UserError(sentence) : new UserError(sentence, cause);
    }

    private static Tensor tensor(List<JsonNode> leaves, long[] sizes) {
        DType dtype = DType.FLOAT32;
        List<Object> values = new ArrayList<>(leaves.size());
        if (!leaves.isEmpty() && leaves.stream().allMatch(JsonNode::isBoolean)) {
            dtype = DType.BOOL;
            leaves.forEach(leaf -> values.add(leaf.booleanValue()));
        } else if (!leaves.isEmpty()
                && leaves.stream().allMatch(JsonNode::canConvertToLong)
                && leaves.stream().allMatch(JsonNode::isIntegralNumber)) {
            dtype = DType.INT64;
            leaves.forEach(leaf -> values.add(leaf.longValue()));
        } else {
            leaves.forEach(
                    leaf -> values.add(leaf.isBoolean() ? (leaf.booleanValue() ? 1.0 : 0.0) : leaf.doubleValue()));
        }
        return Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(sizes)), values);
    }

    static final class Converter implements ITypeConverter<Binding> {
        @Override
        public Binding convert(String text) {
            return parse(text);
        }
    }
}
