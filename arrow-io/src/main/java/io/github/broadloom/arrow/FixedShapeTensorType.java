package io.github.broadloom.arrow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.extension.InvalidExtensionMetadataException;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * Arrow's canonical extension type {@code arrow.fixed_shape_tensor}: every row is a tensor of one shape, stored as a
 * fixed-size list of its elements in row-major order. The type's JSON metadata has the {@code shape} as it is stored, and
 * perhaps a {@code permutation} (dimension i of the tensor that is meant is dimension {@code permutation[i]} of the stored
 * one) and {@code dim_names}.
 *
 * @see <a href="https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor">the specification</a>
 */
public final class FixedShapeTensorType extends ExtensionType {
    /** The name under which every Arrow implementation knows the type. */
    public static final String NAME = "arrow.fixed_shape_tensor";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Shape shape;
    private final int[] permutation;
    private final java.util.List<String> dimNames;

    static {
        ExtensionTypeRegistry.register(new FixedShapeTensorType(Shape.SCALAR, new int[0], java.util.List.of()));
    }

    private FixedShapeTensorType(Shape shape, int[] permutation, java.util.List<String> dimNames) {
        this.shape = shape;
        this.permutation = permutation;
        this.dimNames = dimNames;
    }

    /** Makes Arrow's readers in this JVM know the type. Calling it again changes nothing. */
    public static void register() {
        // The static initialiser has done it, once.
    }

    /** The type of tensors that are stored as they are meant, in row-major order. */
    public static FixedShapeTensorType of(Shape shape) {
        return of(shape, new int[0], java.util.List.of());
    }

    /**
     * The type of tensors stored in another order of their dimensions.
     *
     * @param shape the sizes as they are stored
     * @param permutation for every dimension of the tensor that is meant the stored one; empty for the identity
     * @param dimNames a name for every stored dimension, or empty
     * @throws IllegalArgumentException where these do not belong together
     */
    public static FixedShapeTensorType of(Shape shape, int[] permutation, java.util.List<String> dimNames) {
        if (shape.numel() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Cannot make Arrow type: a row of shape " + shape + " has "
                    + shape.numel() + " elements; Arrow's fixed-size lists have at most " + Integer.MAX_VALUE);
        }
        int[] sorted = permutation.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] != i || sorted.length != shape.rank()) {
                throw new IllegalArgumentException("Cannot make Arrow type: " + Arrays.toString(permutation)
                        + " is no permutation of the dimensions of " + shape);
            }
        }
        if (!dimNames.isEmpty() && dimNames.size() != shape.rank()) {
            throw new IllegalArgumentException(
                    "Cannot make Arrow type: " + dimNames.size() + " names were given for the dimensions of " + shape);
        }
        return new FixedShapeTensorType(shape, permutation.clone(), java.util.List.copyOf(dimNames));
    }

    /** The sizes as they are stored. */
    public Shape storedShape() {
        return shape;
    }

    /** For every dimension of the tensor that is meant the stored one; empty for the identity. */
    public int[] permutation() {
        return permutation.clone();
    }

    /** The names of the stored dimensions; empty where they have none. */
    public java.util.List<String> dimNames() {
        return dimNames;
    }

    @Override
    public ArrowType storageType() {
        return new ArrowType.FixedSizeList((int) shape.numel());
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public boolean extensionEquals(ExtensionType other) {
        return other instanceof FixedShapeTensorType that
                && shape.equals(that.shape)
                && Arrays.equals(permutation, that.permutation)
                && dimNames.equals(that.dimNames);
    }

    @Override
    public String serialize() {
        ObjectNode json = JSON.createObjectNode();
        Arrays.stream(shape.toArray()).forEach(json.putArray("shape")::add);
        if (permutation.length > 0) {
            Arrays.stream(permutation).forEach(json.putArray("permutation")::add);
        }
        if (!dimNames.isEmpty()) {
            dimNames.forEach(json.putArray("dim_names")::add);
        }
        return json.toString();
    }

    @Override
    public ArrowType deserialize(ArrowType storageType, String serializedData) {
        FixedShapeTensorType type = parse(serializedData);
        if (!type.storageType().equals(storageType)) {
            throw new InvalidExtensionMetadataException(
                    NAME + " of shape " + type.shape + " cannot be stored as " + storageType);
        }
        return type;
    }

    /**
     * The type that this JSON metadata describes.
     *
     * @throws InvalidExtensionMetadataException where it is not the specification's
     */
    public static FixedShapeTensorType parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            long[] sizes = integers(json.get("shape"), "shape");
            JsonNode order = json.get("permutation");
            long[] permutation = isAbsent(order) ? new long[0] : integers(order, "permutation");
            java.util.List<String> names = new ArrayList<>();
            JsonNode dimNames = json.get("dim_names");
            if (!isAbsent(dimNames)) {
                dimNames.forEach(name -> names.add(name.asText()));
            }
            return of(
                    Shape.of(sizes),
                    Arrays.stream(permutation).mapToInt(Math::toIntExact).toArray(),
                    names);
        } catch (JsonProcessingException | ArithmeticException | IllegalArgumentException e) {
            throw new InvalidExtensionMetadataException(NAME + " has metadata that cannot be understood: " + text, e);
        }
    }

    private static boolean isAbsent(@Nullable JsonNode node) {
        return node == null || node.isNull();
    }

    private static long[] integers(@Nullable JsonNode array, String key) {
        if (array == null || !array.isArray()) {
            throw new IllegalArgumentException("'" + key + "' is not a list");
        }
        long[] values = new long[array.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = array.get(i);
            if (!value.canConvertToLong() || !value.isIntegralNumber()) {
                throw new IllegalArgumentException("'" + key + "' has an item that is no integer");
            }
            values[i] = value.asLong();
        }
        return values;
    }

    @Override
    public FieldVector getNewVector(String name, FieldType fieldType, BufferAllocator allocator) {
        return new FixedShapeTensorVector(name, fieldType, allocator);
    }
}
