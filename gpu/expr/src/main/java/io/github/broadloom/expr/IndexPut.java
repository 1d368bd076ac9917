package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Picking.Indexed;
import io.github.broadloom.expr.Subscript.At;
import io.github.broadloom.expr.Subscript.Item;
import io.github.broadloom.expr.Subscript.Pick;
import io.github.broadloom.expr.Subscript.Picked;
import io.github.broadloom.expr.Subscript.Walk;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values written to the places that a subscript names, by PyTorch's rules of {@code x[…] = value} and with its errors; the results are new values. Of several that come to one place
 * the last one stays.
 */
public final class IndexPut {
    private final Walk walk;
    /** Of which tensors pick the places, where there are some. */
    private final Expr view;

    private final @Nullable Function<Expr, Tensor> values;

    private IndexPut(Expr x, List<Item> items, @Nullable Function<Expr, Tensor> values) {
        this.walk = Subscript.walk(
                x, items.stream().map(item -> withoutScalars(item, values)).toList());
        this.view = walk.view();
        this.values = values;
    }

    /** A scalar index takes its dimension away, as a plain integer does. */
    private static Item withoutScalars(Item item, @Nullable Function<Expr, Tensor> values) {
        boolean isScalar = item instanceof Picked picked
                && picked.isScalar()
                && !picked.index().dtype().isFloatingPoint();
        return isScalar
                ? new At(((Number) KnownValues.computed(((Picked) item).index(), "index", "an index", values)
                                .values()
                                .get(0))
                        .longValue())
                : item;
    }

    /**
     * {@code x} after {@code x[items] = value}.
     *
     * @param value a plain number, or what broadcasts to what the subscript takes
     * @param values the elements of an expression, on the CPU, where masks and scalar indices may be computed; else null
     * @throws IllegalArgumentException with PyTorch's text, where dtype or shape of the value does not fit
     * @throws IndexOutOfBoundsException with PyTorch's text, as {@link Subscript#of}
     */
    public static Expr set(Expr x, List<Item> items, Expr value, @Nullable Function<Expr, Tensor> values) {
        return Unsized.is(x) ? x : new IndexPut(x, items, values).set(value);
    }

    /**
     * {@code x} with values added to those at the places: all of several that come to one place, as PyTorch's {@code index_put} does that accumulates.
     *
     * @throws IllegalArgumentException as {@link #set}
     * @throws IndexOutOfBoundsException as {@link #set}
     */
    public static Expr add(Expr x, List<Item> items, Expr value, @Nullable Function<Expr, Tensor> values) {
        return Unsized.is(x) ? x : new IndexPut(x, items, values).add(value);
    }

    private Expr set(Expr value) {
        if (walk.picks().isEmpty()) {
            return walk.written(Expr.cast(expanded(value), view.dtype()));
        }
        @Nullable Expr chosen = chosen(value);
        return walk.written(chosen != null ? chosen : places().set(beside(value)));
    }

    private Expr add(Expr value) {
        return walk.written(
                walk.picks().isEmpty()
                        ? Expr.cast(Expr.apply(Ops.ADD, view, expanded(value)), view.dtype())
                        : places().add(beside(value)));
    }

    private Expr expanded(Expr value) {
        return Expr.expand(trimmed(beside(value), view.shape()), view.shape().toArray());
    }

    /** Where the view lies: a plain number in its dtype; of the CPU a scalar, too, and where no tensor picks, any tensor that is known. */
    private Expr beside(Expr value) {
        if (value instanceof Literal number) {
            Tensor scalar = Tensors.scalar(number.value(), number.dtype());
            return Expr.cast(Input.beside(view, scalar), view.dtype());
        }
        boolean goes = value.shape().rank() == 0 || walk.picks().isEmpty();
        return goes ? ofCpu(value) : value;
    }

    /** A tensor of the CPU that is known, where the view lies. */
    private Expr ofCpu(Expr value) {
        boolean moves = value.device().isCpu() && !view.device().isCpu() && KnownValues.areOf(value);
        return moves ? Input.beside(view, KnownValues.tensor(value, "index", "a value")) : value;
    }

    /** A plain number gets the dtype of what it is written to; a tensor must have it. */
    private static Expr fitting(Expr value, DType dtype) {
        ProductErrors.require(
                value instanceof Literal || value.dtype() == dtype,
                "Index put requires the source and destination dtypes match, got " + dtype.typeName()
                        + " for the destination and " + value.dtype().typeName() + " for the source.");
        return Expr.cast(value, dtype);
    }

    /** Without leading dimensions of size one that the target does not have. */
    private static Expr trimmed(Expr value, Shape target) {
        Expr trimmed = value;
        while (trimmed.shape().rank() > target.rank() && trimmed.shape().size(0) == 1) {
            trimmed = ViewOps.squeeze(trimmed, 0);
        }
        return trimmed;
    }

    /** Where one mask decides, and the value is the same for all of its places: how many there are nobody has to know then. Else null. */
    private @Nullable Expr chosen(Expr value) {
        Pick first = walk.picks().get(0);
        Expr mask = first.picked().index();
        if (walk.picks().size() > 1 || !first.picked().isMask() || mask.shape().rank() == 0) {
            return null;
        }
        int behind = view.shape().rank() - first.dim() - mask.shape().rank();
        int at = value.shape().rank() - behind - 1; // of the value's dimension that goes with the places
        if (at >= 0 && value.shape().size(at) != 1) {
            return null;
        }
        Expr spread = at < 0
                ? value
                : ViewOps.unflatten(value, at, Shape.ones(mask.shape().rank()).toArray());
        Expr trimmed = trimmed(spread, view.shape());
        if (!goesInto(trimmed.shape(), view.shape())) {
            return null; // to be refused with the number of places
        }
        Shape lying = mask.shape().concat(Shape.ones(behind));
        Expr chosen = Expr.cast(ViewOps.reshape(mask, lying.toArray()), DType.BOOL);
        return Expr.apply(Ops.WHERE, chosen, fitting(trimmed, view.dtype()), view);
    }

    private static boolean goesInto(Shape shape, Shape target) {
        try {
            return Broadcasting.broadcastShapes(shape, target).equals(target);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Indices of the CPU go with a tensor of any device. */
    private Places places() {
        SortedMap<Integer, Expr> indices = walk.indices(values);
        indices.replaceAll((dim, index) -> ofCpu(index));
        return new Places(Indexed.of(view, indices));
    }

    /** The places that tensors of integers name together, as those of one dimension that stands for all of theirs. */
    private record Places(Indexed indexed) {
        Expr set(Expr value) {
            return back(Scattering.setSlices(lines(), indexed.at(), vector(), source(value)));
        }

        Expr add(Expr value) {
            Expr source = source(value);
            Expr vector = vector();
            if (vector.shape().numel() == 0) {
                return back(lines());
            }
            Shape lying = Shape.ones(source.shape().rank())
                    .with(indexed.at(), vector.shape().size(0));
            Expr places = Expr.expand(
                    ViewOps.reshape(vector, lying.toArray()), source.shape().toArray());
            return back(Scattering.scatterReduce(lines(), indexed.at(), places, source, "sum", true));
        }

        private Expr lines() {
            int last = indexed.at() + indexed.indices().size() - 1;
            return ViewOps.flatten(indexed.operand(), indexed.at(), last);
        }

        private Expr back(Expr lines) {
            return indexed.back(ViewOps.reshape(lines, indexed.operand().shape().toArray()));
        }

        /** The number of each place, from 0; an index out of range is refused when it is looked at. */
        private Expr vector() {
            List<Expr> lines = indexed.lines();
            int count = lines.size();
            Shape sizes = indexed.operand().shape().dims(indexed.at(), indexed.at() + count);
            Expr zero = Input.beside(
                    lines.get(0), Tensors.arange(1).view(Shape.ones(count).toArray()));
            Expr sum = Gather.of(Expr.expand(zero, sizes.toArray()), 0, lines, Gather.Negative.FROM_END);
            long stride = 1;
            for (int i = count - 1; i >= 0; i--) {
                Expr line = lines.get(i);
                Expr behind = Expr.apply(Ops.ADD, line, Expr.literal(sizes.size(i)));
                Expr place = Expr.apply(Ops.WHERE, Expr.apply(Ops.LT, line, Expr.literal(0L)), behind, line);
                sum = Expr.apply(Ops.ADD, sum, Expr.apply(Ops.MUL, place, Expr.literal(stride)));
                stride *= sizes.size(i);
            }
            return sum;
        }

        /** The value as it goes with the places. */
        private Expr source(Expr value) {
            Shape taken = indexed.result();
            Expr trimmed = trimmed(value, taken);
            ProductErrors.require(
                    goesInto(trimmed.shape(), taken),
                    "shape mismatch: value tensor of shape " + trimmed.shape()
                            + " cannot be broadcast to indexing result of shape " + taken);
            Expr fitting = fitting(trimmed, indexed.operand().dtype());
            int at = indexed.at();
            Shape flat = taken.dims(0, at)
                    .concat(Shape.of(indexed.shape().numel()))
                    .concat(taken.dims(at + indexed.shape().rank(), taken.rank()));
            return ViewOps.reshape(Expr.expand(fitting, taken.toArray()), flat.toArray());
        }
    }
}
