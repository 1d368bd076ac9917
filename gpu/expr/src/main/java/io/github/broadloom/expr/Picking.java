package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Gather.Negative;
import io.github.broadloom.expr.Search.Question;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Elements picked by tensors of integers, by PyTorch's names and with its errors; {@link MaskOps} has those that masks pick. */
public final class Picking {
    /** Of an operand that lies elsewhere, so many ranges of rows are read one by one. */
    private static final int MOST_RANGES = 64;

    /** Of more indices nobody looks for ranges. */
    static final int MOST_INDICES = 1 << 16;

    private static final int MOST_COMPARED = 64;

    private Picking() {}

    /**
     * The indices of a dimension that a vector names, in its order.
     *
     * @param index int32 or int64, a vector or a scalar
     * @throws IllegalArgumentException with PyTorch's text, for any other index
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr indexSelect(Expr x, int dim, Expr index) {
        int along = x.shape().normalizeDim(dim);
        ProductErrors.require(index.shape().rank() <= 1, "index_select(): Index is supposed to be a vector");
        ProductErrors.require(
                index.dtype() == DType.INT32 || index.dtype() == DType.INT64,
                "index_select(): Expected dtype int32 or int64 for index");
        if (x.shape().rank() == 0) {
            ProductErrors.require(
                    index.shape().numel() == 1,
                    "index_select(): Index to scalar can have only 1 value, got "
                            + index.shape().numel() + " value(s)");
            return ViewOps.reshape(indexSelect(ViewOps.unsqueeze(x, 0), 0, index));
        }
        return along(x, along, ViewOps.reshape(index, index.shape().numel()), Negative.REFUSED);
    }

    /** By a vector, which other dimensions have in common. */
    static Expr along(Expr x, int dim, Expr vector, Negative negative) {
        long[] known = knownRanges(x, vector);
        if (known != null) {
            return ofRanges(x, dim, known, negative);
        }
        Shape lying = Shape.ones(x.shape().rank()).with(dim, vector.shape().size(0));
        return Gather.of(x, dim, List.of(ViewOps.reshape(int64(vector), lying.toArray())), negative);
    }

    private static Expr int64(Expr index) {
        return Expr.cast(index, DType.INT64);
    }

    /** Whether a vector of indices is known, and of few ranges of an operand that is not of this machine, so that these are read alone. */
    static boolean isOfFewRanges(Expr x, Expr vector) {
        return knownRanges(x, vector) != null;
    }

    /** The indices, where they are known and few ranges of an operand that is not of this machine; else null. */
    private static long @Nullable [] knownRanges(Expr x, Expr vector) {
        boolean isHere = x.inputs().stream().allMatch(input -> input.source() instanceof Tensor);
        if (isHere || !KnownValues.areOf(vector) || vector.shape().numel() > MOST_INDICES) {
            return null;
        }
        long[] values = KnownValues.of(vector, "index_select", "index").stream()
                .mapToLong(value -> ((Number) value).longValue())
                .toArray();
        int ranges = values.length == 0 ? 0 : 1;
        for (int i = 1; i < values.length; i++) {
            ranges += values[i] == values[i - 1] + 1 ? 0 : 1;
        }
        return ranges > 0 && ranges <= MOST_RANGES ? values : null;
    }

    /** So that nothing but these rows is read. */
    private static Expr ofRanges(Expr x, int dim, long[] indices, Negative negative) {
        long size = x.shape().size(dim);
        List<Expr> parts = new ArrayList<>();
        for (int i = 0; i < indices.length; ) {
            int end = i + 1;
            while (end < indices.length && indices[end] == indices[end - 1] + 1 && indices[end] != 0) {
                end++;
            }
            long first = indices[i] < 0 && negative == Negative.FROM_END ? indices[i] + size : indices[i];
            long last = first + (end - i) - 1;
            if (first < 0 || last >= size) {
                long outside = first < 0 ? indices[i] : indices[i] + (size - first);
                throw new IndexOutOfBoundsException(
                        outOfBounds(outside, negative == Negative.FROM_END ? 0 : dim, size));
            }
            parts.add(ViewOps.narrow(x, dim, first, end - i));
            i = end;
        }
        return Expr.concat(parts, dim);
    }

    /** PyTorch's sentence. */
    static String outOfBounds(long index, int dim, long size) {
        return "index " + index + " is out of bounds for dimension " + dim + " with size " + size;
    }

    /**
     * Along a dimension the elements at the places that a tensor of the result's shape names. It may be smaller than the operand along other dimensions; nothing broadcasts.
     *
     * @param index int32 or int64
     * @throws IllegalArgumentException with PyTorch's text, for any other index
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr gather(Expr x, int dim, Expr index) {
        int along = x.shape().normalizeDim(dim);
        ProductErrors.require(
                index.dtype() == DType.INT32 || index.dtype() == DType.INT64,
                "gather(): Expected dtype int32/int64 for index");
        Expr operand = x.shape().rank() == 0 ? ViewOps.unsqueeze(x, 0) : x;
        Expr places = int64(index.shape().rank() == 0 ? ViewOps.unsqueeze(index, 0) : index);
        if (index.shape().numel() > 0) {
            ProductErrors.require(
                    places.shape().rank() == operand.shape().rank(),
                    "Index tensor must have the same number of dimensions as input tensor");
            for (int d = 0; d < operand.shape().rank(); d++) {
                if (d != along) {
                    ProductErrors.require(
                            places.shape().size(d) <= operand.shape().size(d),
                            "Size does not match at dimension " + d + " expected index " + index.shape()
                                    + " to be no larger than self " + x.shape() + " apart from dimension " + along);
                    operand = ViewOps.narrow(operand, d, 0, places.shape().size(d));
                }
            }
        } else {
            operand = ViewOps.reshape(
                    Expr.expand(ViewOps.narrow(ViewOps.flatten(operand, 0, -1), 0, 0, 0), 0),
                    places.shape().with(along, 0).toArray());
        }
        Expr found = Gather.of(operand, along, List.of(places), Negative.REFUSED);
        return index.shape().rank() == 0 ? ViewOps.squeeze(found, 0) : found;
    }

    /**
     * Along a dimension the elements at the places that a tensor names; other dimensions broadcast.
     *
     * @param indices int64, with as many dimensions
     * @throws IllegalArgumentException with PyTorch's text, for any other indices
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr takeAlongDim(Expr x, Expr indices, int dim) {
        ProductErrors.require(
                indices.dtype() == DType.INT64,
                "torch.take_along_dim(): dtype of indices should be Long but got "
                        + indices.dtype().typeName());
        ProductErrors.require(
                x.shape().rank() == indices.shape().rank(),
                "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
                        + x.shape().rank() + " dimensions for input, and "
                        + indices.shape().rank() + " dimensions for indices");
        int along = x.shape().normalizeDim(dim);
        if (x.shape().rank() == 0) {
            return gather(x, 0, indices);
        }
        return Gather.of(x, along, List.of(indices), Negative.REFUSED);
    }

    /** Those of all elements in row-major order that a tensor of the result's shape names. */
    public static Expr take(Expr x, Expr index) {
        ProductErrors.require(
                index.dtype() == DType.INT64,
                "take(): Expected a long tensor for index, but got "
                        + index.dtype().typeName());
        Placement.ofAll(List.of(x, index));
        Expr line = ViewOps.reshape(x, x.shape().numel());
        Expr places = ViewOps.reshape(index, index.shape().numel());
        return ViewOps.reshape(
                along(line, 0, places, Negative.FROM_END), index.shape().toArray());
    }

    /**
     * The elements of some dimensions that tensors of integers name together, as between brackets: they broadcast among themselves, and their dimensions stand where the indexed
     * ones stood, or first where these are no neighbours. Negative ones count from the end.
     *
     * @param indices by the dimension of {@code x}; at least one
     * @throws IndexOutOfBoundsException with PyTorch's text, for indices that are no integers, or do not broadcast
     */
    static Expr index(Expr x, SortedMap<Integer, Expr> indices) {
        Indexed indexed = Indexed.of(x, indices);
        int at = indexed.at;
        if (indexed.indices.size() == 1) {
            return unflattened(
                    along(indexed.operand, at, indexed.lines().get(0), Negative.FROM_END), at, indexed.shape);
        }
        int rank = indexed.operand.shape().rank() - indexed.indices.size() + 1;
        long[] lying = Shape.ones(rank).with(at, indexed.shape.numel()).toArray();
        List<Expr> lines = indexed.lines().stream()
                .map(line -> ViewOps.reshape(line, lying))
                .toList();
        return unflattened(Gather.of(indexed.operand, at, lines, Negative.FROM_END), at, indexed.shape);
    }

    /**
     * What is indexed by tensors of integers together.
     *
     * @param operand with the indexed dimensions side by side
     * @param at the first of them, and where the dimensions of the indices stand in what is picked
     * @param indices int64, one for each of them
     * @param shape that of all indices, broadcast
     * @param dims where the indexed dimensions stood before
     */
    record Indexed(Expr operand, int at, List<Expr> indices, Shape shape, int[] dims) {
        /** @throws IndexOutOfBoundsException with PyTorch's text, where indices do not broadcast */
        static Indexed of(Expr x, SortedMap<Integer, Expr> indices) {
            List<Integer> dims = List.copyOf(indices.keySet());
            List<Expr> given = indices.values().stream().map(Picking::int64).toList();
            Shape shape = broadcast(given);
            int[] before = Dims.array(dims);
            boolean neighbours = dims.get(dims.size() - 1) - dims.get(0) == dims.size() - 1;
            return neighbours
                    ? new Indexed(x, dims.get(0), given, shape, before)
                    : new Indexed(ViewOps.movedim(x, before, first(dims.size())), 0, given, shape, before);
        }

        private static int[] first(int count) {
            return IntStream.range(0, count).toArray();
        }

        /** All indices as vectors. */
        List<Expr> lines() {
            return indices.stream()
                    .map(index -> ViewOps.reshape(Expr.expand(index, shape.toArray()), shape.numel()))
                    .toList();
        }

        /** The shape of what is picked. */
        Shape result() {
            Shape whole = operand.shape();
            return whole.dims(0, at).concat(shape).concat(whole.dims(at + indices.size(), whole.rank()));
        }

        /** Of values of the operand's shape, with the dimensions where they stood before. */
        Expr back(Expr values) {
            boolean stayed = at == dims[0] && dims[dims.length - 1] - dims[0] == dims.length - 1;
            return stayed ? values : ViewOps.movedim(values, first(dims.length), dims);
        }
    }

    private static Expr unflattened(Expr x, int dim, Shape shape) {
        Shape whole = x.shape();
        return ViewOps.reshape(
                x,
                whole.dims(0, dim)
                        .concat(shape)
                        .concat(whole.dims(dim + 1, whole.rank()))
                        .toArray());
    }

    private static Shape broadcast(List<Expr> indices) {
        try {
            return Broadcasting.broadcastShapes(
                    indices.stream().map(Expr::shape).toArray(Shape[]::new));
        } catch (IllegalArgumentException e) {
            String shapes = String.join(
                    ", ",
                    indices.stream().map(index -> index.shape().toString()).toList());
            throw new IndexOutOfBoundsException(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes);
        }
    }

    /** Whether comparing with every element of a line, which takes no pass of its own, is about as fast as to search it. */
    private static boolean isShort(Expr lines) {
        return lines.shape().size(lines.shape().rank() - 1) <= MOST_COMPARED;
    }

    /** @param compared what would compare each with each: it tells their common dtype */
    private static Expr search(Question question, Expr compared, Expr lines, Expr values) {
        DType common = compared instanceof Apply apply ? apply.argumentType(0) : values.dtype();
        return Search.of(question, Expr.cast(lines, common), Expr.cast(values, common));
    }

    /** Whether each element is among those of another tensor. */
    public static Expr isin(Expr elements, Expr test) {
        Expr line = ViewOps.reshape(test, test.shape().numel());
        Expr equal = Expr.apply(Ops.EQ, ViewOps.unsqueeze(elements, -1), line);
        return isShort(line)
                ? Expr.reduce(Reduction.ANY, equal, KeepDim.DROP, -1)
                : search(
                        Question.AMONG,
                        equal,
                        Lines.sort(line, Order.ASCENDING, 0).values(),
                        elements);
    }

    /**
     * How many values of a sorted line come before each element: of one line, or along the last dimension of a tensor those of the line that goes with the element.
     *
     * @param right whether equal values come before it, too
     * @throws IllegalArgumentException with PyTorch's text, where lines do not go with the elements
     */
    public static Expr searchsorted(Expr sorted, Expr x, boolean right) {
        int rank = sorted.shape().rank();
        ProductErrors.require(
                rank > 0,
                "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
        if (rank == 1) {
            return bucketize(x, sorted, right);
        }
        Shape lines = sorted.shape().dims(0, rank - 1);
        ProductErrors.require(
                x.shape().rank() == rank && x.shape().dims(0, rank - 1).equals(lines),
                "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries"
                        + " tensor and input value tensor must match, but we got boundaries tensor " + sorted.shape()
                        + " and input value tensor " + x.shape());
        return before(sorted, ViewOps.unsqueeze(sorted, -2), x, right);
    }

    /**
     * How many of some boundaries in ascending order come before each element.
     *
     * @param right whether equal ones do, too
     * @throws IllegalArgumentException with PyTorch's text, where they are no vector
     */
    public static Expr bucketize(Expr x, Expr boundaries, boolean right) {
        ProductErrors.require(
                boundaries.shape().rank() == 1,
                "boundaries tensor must be 1 dimension, but got dim("
                        + boundaries.shape().rank() + ")");
        return before(boundaries, boundaries, x, right);
    }

    /**
     * A NaN, which compares with nothing, comes last.
     *
     * @param lying the lines where they broadcast against elements with one more dimension
     */
    private static Expr before(Expr lines, Expr lying, Expr x, boolean right) {
        Expr behind = Expr.apply(right ? Ops.GT : Ops.GE, lying, ViewOps.unsqueeze(x, -1));
        if (!isShort(lines)) {
            return search(right ? Question.UP_TO : Question.LESS, behind, lines, x);
        }
        return Expr.reduce(Reduction.SUM, Expr.apply(Ops.LOGICAL_NOT, behind), KeepDim.DROP, -1);
    }

    /**
     * The differences of neighbours along a dimension, taken {@code n} times; of bools whether they differ.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a scalar, or a negative {@code n}
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr diff(Expr x, long n, int dim) {
        ProductErrors.require(x.shape().rank() > 0, "diff expects input to be at least one-dimensional");
        int along = x.shape().normalizeDim(dim);
        ProductErrors.require(n >= 0, "order must be non-negative but got " + n);
        Expr result = x;
        for (long i = 0; i < Math.min(n, x.shape().size(along)); i++) {
            long size = result.shape().size(along);
            Expr later = ViewOps.narrow(result, along, Math.min(1, size), Math.max(0, size - 1));
            Expr earlier = ViewOps.narrow(result, along, 0, Math.max(0, size - 1));
            result = Expr.apply(x.dtype() == DType.BOOL ? Ops.LOGICAL_XOR : Ops.SUB, later, earlier);
        }
        return result;
    }
}
