package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion.Term;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tensor whose dimensions have names, and perhaps {@linkplain Coordinate coordinates}: xarray's {@code DataArray} over a handle. Operands are aligned by name: what one
 * lacks is added, and the order is that of the left operand, then what only the right one has. Sizes and coordinates that contradict each other are refused: nothing of size one is
 * repeated, and nothing is left out. Every method becomes positional ones of the handle; it computes nothing, and raises their errors at once.
 *
 * <p>A value: methods return others, and share the handle.
 *
 * @param <T> the handle, local or distributed
 */
public final class NamedTensor<T extends TensorOps<T>>
        implements PointwiseOps<NamedTensor<T>>,
                SignOperators<NamedTensor<T>>,
                NamedReductionOps<NamedTensor<T>>,
                TensorLike {
    private final T tensor;
    private final List<String> dims;
    private final Map<String, Coordinate> coordinates;

    /** @param coordinates of these dimensions and of others, which are left out */
    NamedTensor(T tensor, List<String> dims, Collection<Coordinate> coordinates) {
        this.tensor = tensor;
        this.dims = List.copyOf(dims);
        Map<String, Coordinate> kept = new LinkedHashMap<>();
        for (String dim : dims) {
            coordinates.stream()
                    .filter(coordinate -> coordinate.name().equals(dim))
                    .forEach(coordinate -> kept.put(dim, coordinate));
        }
        this.coordinates = Collections.unmodifiableMap(kept);
    }

    static <T extends TensorOps<T>> NamedTensor<T> of(T tensor, List<String> dims) {
        String cannot = "Cannot name the dimensions of shape " + tensor.shape() + " " + dims + ": ";
        int rank = tensor.shape().rank();
        if (dims.size() != rank) {
            throw new IllegalArgumentException(cannot + "give " + rank + " names");
        }
        for (String dim : dims) {
            if (dim.isBlank() || Collections.frequency(dims, dim) > 1) {
                throw new IllegalArgumentException(
                        cannot + (dim.isBlank() ? "a name is empty" : "\"" + dim + "\" stands twice"));
            }
        }
        return new NamedTensor<>(tensor, dims, List.of());
    }

    /** The handle that was named. */
    public T tensor() {
        return tensor;
    }

    /** The names, in the order of the dimensions. */
    public List<String> dims() {
        return dims;
    }

    /** The size of a dimension. */
    public long size(String dim) {
        return tensor.shape().size(dim(dim));
    }

    /** Those that there are, by the names of their dimensions, in this order. */
    public Map<String, Coordinate> coordinates() {
        return coordinates;
    }

    /** @throws IllegalArgumentException where the dimension has none, or there is no such dimension */
    public Coordinate coordinate(String dim) {
        dim(dim);
        Coordinate found = coordinates.get(dim);
        if (found == null) {
            throw new IllegalArgumentException(
                    "Cannot find the coordinate of \"" + dim + "\": it has none; give it one, withCoordinate(...)");
        }
        return found;
    }

    @Override
    public DType dtype() {
        return tensor.dtype();
    }

    @Override
    public Term term() {
        return tensor.term();
    }

    /** The place of a dimension. */
    int dim(String name) {
        int dim = dims.indexOf(name);
        if (dim < 0) {
            throw new IllegalArgumentException("Cannot find dimension \"" + name + "\": there are " + dims);
        }
        return dim;
    }

    /** This with a coordinate of one of its dimensions, in the place of the one that it may have. */
    public NamedTensor<T> withCoordinate(Coordinate coordinate) {
        String name = coordinate.name();
        if (coordinate.size() != size(name)) {
            throw new IllegalArgumentException("Cannot set the coordinate of \"" + name + "\": it has "
                    + coordinate.size() + " values, and the dimension " + size(name) + " indices");
        }
        List<Coordinate> all = new ArrayList<>(coordinates.values());
        all.add(coordinate);
        return new NamedTensor<>(tensor, dims, all);
    }

    /** {@link #withCoordinate(Coordinate)} of a vector without attributes. */
    public NamedTensor<T> withCoordinate(String dim, Tensor values) {
        return withCoordinate(Coordinate.of(dim, values));
    }

    /** This without the coordinate of a dimension. */
    public NamedTensor<T> dropCoordinate(String dim) {
        dim(dim);
        return with(tensor, dims, dim);
    }

    /** Another handle under such names, with the coordinates of this, but of one dimension. */
    private NamedTensor<T> with(T other, List<String> names, @Nullable String without) {
        return new NamedTensor<>(
                other,
                names,
                coordinates.values().stream()
                        .filter(coordinate -> !coordinate.name().equals(without))
                        .toList());
    }

    /**
     * Any operation of the table, with this as first argument.
     *
     * @param others tensors with names, Numbers, Booleans, and tensors without dimensions
     * @throws IllegalArgumentException for a tensor with dimensions that have no names, where sizes or coordinates of a dimension differ, naming it, and with PyTorch's text for dtypes
     *     that the operation does not take
     */
    @Override
    public NamedTensor<T> apply(Op op, Object... others) {
        NamedAlignment alignment = new NamedAlignment();
        alignment.add(this);
        for (Object other : others) {
            if (other instanceof NamedTensor<?> named) {
                alignment.add(named);
            } else if (other instanceof TensorLike
                    && Arguments.of(other).shape().rank() > 0) {
                throw new IllegalArgumentException("Cannot " + op.name() + " " + dims + " and "
                        + Arguments.of(other).shape()
                        + ": the right one's dimensions have no names; give it some, named(...)");
            }
        }
        Object[] aligned = Arrays.stream(others)
                .map(other -> other instanceof NamedTensor<?> named ? named.aligned(alignment) : other)
                .toArray();
        return new NamedTensor<>(aligned(alignment).apply(op, aligned), alignment.dims(), alignment.coordinates());
    }

    /** The handle with its dimensions at their places among others; those that are missing before its first one are left to broadcasting. */
    private T aligned(NamedAlignment alignment) {
        List<String> all = alignment.dims();
        List<String> own = all.stream().filter(dims::contains).toList();
        T result = ordered(own);
        int first = own.isEmpty() ? all.size() : all.indexOf(own.get(0));
        for (int d = first; d < all.size(); d++) {
            result = own.contains(all.get(d)) ? result : result.unsqueeze(d - first);
        }
        return result;
    }

    private T ordered(List<String> names) {
        return names.equals(dims)
                ? tensor
                : tensor.permute(names.stream().mapToInt(this::dim).toArray());
    }

    /**
     * Any reduction of the handle, by names: {@code x.reduce((t, dims) -> t.norm(dims), "lat", "lon")}.
     *
     * @param reduction takes the places of the dimensions, none where none is named, and leaves these dimensions out
     * @param names none for all dimensions
     */
    public NamedTensor<T> reduce(BiFunction<T, int[], T> reduction, String... names) {
        T result =
                reduction.apply(tensor, Arrays.stream(names).mapToInt(this::dim).toArray());
        List<String> reduced = names.length == 0 ? dims : List.of(names);
        return new NamedTensor<>(
                result, dims.stream().filter(dim -> !reduced.contains(dim)).toList(), coordinates.values());
    }

    @Override
    public NamedTensor<T> reduce(Reduction reduction, String... names) {
        return reduce((x, places) -> x.withExpr(Expr.reduce(reduction, x.expr(), KeepDim.DROP, places)), names);
    }

    /** The mean of what is not NaN, which xarray's {@code mean} is. Over these dimensions; none named means all. */
    public NamedTensor<T> nanmean(String... names) {
        return reduce(StatisticsOps::nanmean, names);
    }

    /** How many values are not zero, in int64. Over these dimensions; none named means all. */
    public NamedTensor<T> countNonzero(String... names) {
        return reduce(StatisticsOps::countNonzero, names);
    }

    /** The medians along a dimension, of two middle values the lower. */
    public NamedTensor<T> median(String dim) {
        return reduce((x, places) -> x.median(KeepDim.DROP, places[0]).values(), dim);
    }

    /** The values along a dimension below which a part {@code q} lies, on the line between neighbours. */
    public NamedTensor<T> quantile(double q, String dim) {
        return reduce((x, places) -> x.quantile(q, places[0]), dim);
    }

    /** What keeps the shape: {@code x.map(t -> t.to(DType.FLOAT64))}. */
    public NamedTensor<T> map(UnaryOperator<T> function) {
        return with(same(function.apply(tensor), tensor.shape()), dims, null);
    }

    /** What keeps the shape along a dimension, whose place it takes: {@code x.along("time", (t, dim) -> t.cumprod(dim))}. */
    public NamedTensor<T> along(String dim, BiFunction<T, Integer, T> function) {
        return with(same(function.apply(tensor, dim(dim)), tensor.shape()), dims, null);
    }

    private static <T extends TensorOps<T>> T same(T result, Shape shape) {
        if (!result.shape().equals(shape)) {
            throw new IllegalArgumentException("Cannot keep the names of shape " + shape + ": the result has shape "
                    + result.shape() + "; apply it to tensor(), and name what it gives");
        }
        return result;
    }

    /** The running sums along a dimension; bools and integers in int64. */
    public NamedTensor<T> cumsum(String dim) {
        return along(dim, ScanOps::cumsum);
    }

    /** A reduction of the {@code size} values up to each along a dimension: {@link IndexOps#rolling}. */
    public NamedTensor<T> rolling(String dim, long size, String reduction) {
        return along(dim, (x, d) -> x.rolling(d, size, reduction));
    }

    /** The differences of neighbours along a dimension, each with the coordinate of the later one. */
    public NamedTensor<T> diff(String dim) {
        return sliced(dim, tensor.diff(dim(dim)), Slice.from(1));
    }

    private NamedTensor<T> sliced(String dim, T result, Slice slice) {
        NamedTensor<T> bare = with(result, dims, dim);
        Coordinate coordinate = coordinates.get(dim);
        return coordinate == null ? bare : bare.withCoordinate(coordinate.slice(slice));
    }

    /** Index {@code index} of one dimension, which goes away; negative ones count from the end. */
    public NamedTensor<T> isel(String dim, long index) {
        return with(tensor.select(dim(dim), index), without(dim), null);
    }

    /** The indices of one dimension that a slice takes. */
    public NamedTensor<T> isel(String dim, Slice slice) {
        return sliced(dim, tensor.slice(dim(dim), slice), slice);
    }

    private List<String> without(String dim) {
        return dims.stream().filter(other -> !other.equals(dim)).toList();
    }

    /**
     * The index of one dimension whose coordinate has a value; the dimension goes away.
     *
     * @param value as {@link Coordinate#index} takes it: a number, a date, the meaning of a flag
     * @throws IllegalArgumentException where there is no coordinate, no index has the value, naming the nearest, or several have
     */
    public NamedTensor<T> sel(String dim, Object value) {
        return isel(dim, coordinate(dim).index(value));
    }

    /** As {@link #sel(String, Object)}, of the value that is nearest. */
    public NamedTensor<T> selNearest(String dim, Object value) {
        return isel(dim, coordinate(dim).nearest(value));
    }

    /**
     * The indices of one dimension whose coordinate is between two values, both included, whichever is greater: {@code x.sel("time", "2001-01", "2001-03")} has three months.
     *
     * @param from null for no bound
     * @param to null for no bound
     * @throws IllegalArgumentException where there is no coordinate, or no index has such a value
     */
    public NamedTensor<T> sel(String dim, @Nullable Object from, @Nullable Object to) {
        return isel(dim, coordinate(dim).range(from, to));
    }

    /**
     * Groups of the indices of a dimension by a part of their dates, named as in xarray: {@code x.groupBy("time.month").mean()}.
     *
     * @param what the dimension and, behind a dot, what {@link Coordinate#dt} takes
     */
    public NamedGroupBy<T> groupBy(String what) {
        int dot = what.lastIndexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("Cannot group by \"" + what
                    + "\": write the dimension and a part of its dates, \"time.month\", or give labels");
        }
        String dim = what.substring(0, dot);
        return groupBy(dim, coordinate(dim).dt(what.substring(dot + 1)));
    }

    /**
     * Groups of the indices of a dimension by labels; results have the labels' name for the dimension, and for coordinate each label once, ascending.
     *
     * @param labels as many as indices; NaN is of no group
     */
    public NamedGroupBy<T> groupBy(String dim, Coordinate labels) {
        return new NamedGroupBy<>(this, dim, labels, labels.distinct());
    }

    /**
     * Groups of the indices of a dimension by stretches of time that follow each other, named as in xarray: {@code x.resample("time", "1D").mean()} has the means of days. The dimension keeps its
     * name, and its coordinate is where each stretch begins, also of those without a time, whose mean is NaN; {@code x.resample("time", "1D").sub(means)} is of each time with its day.
     *
     * @param every {@code 30min}, {@code 6h}, {@code 1D}, {@code 7D}, {@code MS} for months, {@code 3MS}, {@code YS} for years
     * @throws IllegalArgumentException where the dimension has no times, or {@code every} is no length of time
     */
    public NamedGroupBy<T> resample(String dim, String every) {
        Coordinate times = coordinate(dim);
        Coordinate starts = times.starts(every);
        return new NamedGroupBy<>(this, dim, times.floor(starts), starts);
    }

    /** The dimensions in another order; "..." stands for those that are not named, and no name for all, reversed. */
    public NamedTensor<T> transpose(String... names) {
        List<String> rest = new ArrayList<>(dims);
        rest.removeAll(List.of(names));
        if (names.length == 0) {
            Collections.reverse(rest);
        }
        List<String> order = Stream.of(names.length == 0 ? new String[] {"..."} : names)
                .flatMap(name -> name.equals("...") ? rest.stream() : Stream.of(dims.get(dim(name))))
                .toList();
        if (order.size() != dims.size() || !order.containsAll(dims)) {
            throw new IllegalArgumentException("Cannot transpose " + dims + " to " + List.of(names)
                    + ": name each dimension once, or \"...\" for the others");
        }
        return with(ordered(order), order, null);
    }

    /** The same under another name of one dimension. */
    public NamedTensor<T> rename(String dim, String other) {
        List<String> renamed = new ArrayList<>(dims);
        renamed.set(dim(dim), other);
        NamedTensor<T> result = of(tensor, renamed)
                .withCoordinates(with(tensor, dims, dim).coordinates.values());
        Coordinate own = coordinates.get(dim);
        return own == null ? result : result.withCoordinate(own.renamed(other));
    }

    NamedTensor<T> withCoordinates(Collection<Coordinate> all) {
        return new NamedTensor<>(tensor, dims, all);
    }

    /** A new first dimension of size one. */
    public NamedTensor<T> expandDims(String dim) {
        List<String> names = new ArrayList<>(dims);
        names.add(0, dim);
        return of(tensor.unsqueeze(0), names).withCoordinates(coordinates.values());
    }

    /**
     * Without these dimensions, or all of size one where none is named.
     *
     * @throws IllegalArgumentException where one is of another size
     */
    public NamedTensor<T> squeeze(String... names) {
        List<String> all = names.length > 0
                ? List.of(names)
                : dims.stream().filter(dim -> size(dim) == 1).toList();
        for (String dim : all) {
            if (size(dim) != 1) {
                throw new IllegalArgumentException(
                        "Cannot squeeze dimension \"" + dim + "\": its size is " + size(dim) + "; isel(...) an index");
            }
        }
        return all.isEmpty() ? this : reduce(ShapeOps::squeeze, all.toArray(String[]::new));
    }

    /** The names with their sizes, the dtype, and each coordinate's first and last value; nothing runs. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("NamedTensor (")
                .append(dims.stream().map(dim -> dim + ": " + size(dim)).collect(Collectors.joining(", ")))
                .append(") ")
                .append(dtype());
        if (!coordinates.isEmpty()) {
            text.append("\nCoordinates:");
            coordinates.values().forEach(coordinate -> text.append("\n  ").append(coordinate));
        }
        List<String> bare = new ArrayList<>(dims);
        bare.removeAll(coordinates.keySet());
        if (!bare.isEmpty()) {
            text.append("\nDimensions without coordinates: ").append(String.join(", ", bare));
        }
        return text.toString();
    }
}
