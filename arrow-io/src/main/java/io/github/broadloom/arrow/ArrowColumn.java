package io.github.broadloom.arrow;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * What an Arrow column says about the tensor that its rows make: rows are the leading dimension, and a row has the rest.
 * Columns of {@link FixedShapeTensorType} are meant; plain numbers (rows of rank 0) and fixed-size lists of them, nested or
 * not, are understood as well.
 *
 * @param name the column's name
 * @param dtype the elements' dtype
 * @param storedShape the shape of one row as it is stored
 * @param permutation for every dimension of a row the stored one; empty for the identity
 * @param listLevels how many fixed-size lists are nested in each other around the elements
 */
public record ArrowColumn(String name, DType dtype, Shape storedShape, List<Integer> permutation, int listLevels) {
    /** The name of the column that Broadloom writes. */
    public static final String DEFAULT_NAME = "tensor";
    /** Arrow's customary name for the elements of a list. */
    private static final String ELEMENT_NAME = "item";

    static {
        FixedShapeTensorType.register();
    }

    /** The column that tensors of this dtype, whose rows have the shape {@code inner}, are written to. */
    public static ArrowColumn of(DType dtype, Shape inner) {
        return new ArrowColumn(DEFAULT_NAME, dtype, inner, List.of(), 1);
    }

    /**
     * Reads a column's type.
     *
     * @throws IllegalArgumentException where no tensor has such a type; the message begins with the column
     */
    public static ArrowColumn of(Field field) {
        if (field.getType() instanceof FixedShapeTensorType type) {
            Field elements = field.getChildren().get(0);
            List<Integer> permutation =
                    Arrays.stream(type.permutation()).boxed().toList();
            DType dtype = dtype(elements.getType(), field.getName());
            return new ArrowColumn(field.getName(), dtype, type.storedShape(), permutation, 1);
        }
        Shape shape = Shape.SCALAR;
        Field inner = field;
        while (inner.getType() instanceof ArrowType.FixedSizeList list) {
            shape = shape.concat(Shape.of(list.getListSize()));
            inner = inner.getChildren().get(0);
        }
        DType dtype = dtype(inner.getType(), field.getName());
        return new ArrowColumn(field.getName(), dtype, shape, List.of(), shape.rank());
    }

    /**
     * The field of this column in a schema, as an {@code arrow.fixed_shape_tensor}.
     *
     * @throws IllegalArgumentException where a row has more elements than an Arrow list
     */
    public Field field() {
        int[] order = permutation.stream().mapToInt(Integer::intValue).toArray();
        FixedShapeTensorType type = FixedShapeTensorType.of(storedShape, order, List.of());
        Field elements = new Field(ELEMENT_NAME, FieldType.nullable(arrowType(dtype)), null);
        return new Field(name, new FieldType(true, type, null, Map.of()), List.of(elements));
    }

    /** The shape of one row, as it is meant. */
    public Shape inner() {
        long[] sizes = storedShape.toArray();
        for (int d = 0; d < permutation.size(); d++) {
            sizes[d] = storedShape.size(permutation.get(d));
        }
        return Shape.of(sizes);
    }

    /** The number of elements in {@code rows} rows. */
    public long elements(long rows) {
        return Math.multiplyExact(rows, storedShape.numel());
    }

    /** Bytes that {@code rows} rows take in Arrow, where a bool is one bit. */
    public long arrowBytes(long rows) {
        return dataBytes(dtype, elements(rows));
    }

    /**
     * Brings the rows from Arrow's form into a storage's; only a bool has two forms.
     *
     * @param arrow where {@link #arrowBytes} bytes lie
     * @param bytes where the storage's elements go
     */
    public void unpack(long arrow, long bytes, long rows) {
        if (dtype != DType.BOOL) {
            throw new IllegalStateException("Cannot unpack " + dtype + ": it is the same in Arrow");
        }
        PackedBits.unpack(arrow, bytes, elements(rows));
    }

    /**
     * Where the elements of {@code rows} rows lie that are stored one after the other: permuted where need be.
     *
     * @throws IllegalArgumentException where there are more than can be counted
     */
    public Layout layout(long rows) {
        Layout layout = Layout.contiguous(storedShape.withLeading(rows));
        if (permutation.isEmpty()) {
            return layout;
        }
        int[] dims = new int[layout.rank()];
        for (int d = 1; d < dims.length; d++) {
            dims[d] = 1 + permutation.get(d - 1);
        }
        return layout.permute(dims);
    }

    /** The bytes of a bool chunk as Arrow's bits, in a fresh storage. */
    public static Storage packed(Tensor contiguous) {
        Storage bits = Storage.allocate(dataBytes(DType.BOOL, contiguous.numel()));
        try (Hold held = Hold.of(contiguous)) {
            PackedBits.pack(contiguous.address(), bits.address(), contiguous.numel());
        }
        return bits;
    }

    private static ArrowType arrowType(DType dtype) {
        if (!isKnown(dtype)) {
            throw new IllegalArgumentException("Cannot write Arrow: Arrow has no " + dtype
                    + "; cast the tensor with to(...) to " + dtype.widened() + " first");
        }
        int bits = dtype.bytes() * Byte.SIZE;
        return switch (dtype.kind()) {
            case BOOL -> new ArrowType.Bool();
            case INTEGER -> new ArrowType.Int(bits, dtype.isSigned());
            case FLOATING ->
                new ArrowType.FloatingPoint(
                        switch (dtype.primitive()) {
                            case SHORT -> FloatingPointPrecision.HALF;
                            case FLOAT -> FloatingPointPrecision.SINGLE;
                            case DOUBLE -> FloatingPointPrecision.DOUBLE;
                            case BYTE, INT, LONG ->
                                throw new IllegalStateException("Cannot find the Arrow type of " + dtype);
                        });
        };
    }

    private static DType dtype(ArrowType type, String column) {
        List<DType> known =
                Arrays.stream(DType.values()).filter(ArrowColumn::isKnown).toList();
        return known.stream()
                .filter(dtype -> arrowType(dtype).equals(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("column '" + column + "' has the Arrow type " + type
                        + ", which no tensor has; cast it to one of "
                        + known.stream().map(DType::torchName).collect(Collectors.joining(", "))));
    }

    /** Arrow and NumPy have the same types of numbers. */
    private static boolean isKnown(DType dtype) {
        return dtype.numpyCode().isPresent();
    }

    /** Bytes that Arrow takes for that many elements: a bool is one bit there, and one byte in a storage. */
    private static long dataBytes(DType dtype, long elements) {
        return dtype == DType.BOOL ? (elements >>> 3) + ((elements & 7) == 0 ? 0 : 1) : dtype.sizeBytes(elements);
    }
}
