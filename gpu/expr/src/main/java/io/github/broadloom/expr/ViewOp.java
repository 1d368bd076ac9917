package io.github.broadloom.expr;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the elements of a tensor go, whatever they are: another order of the dimensions or along them, fewer indices,
 * another shape. Dimensions and indices are not negative and in range for the shape that it was made for; {@link
 * ViewOps} makes them of what a user says. It can be applied to a part of that shape with fewer rows, too, as each
 * record says.
 */
public sealed interface ViewOp extends Serializable {
    /** The layout of the result of what has that layout; empty where only a copy has its elements so. */
    Optional<Layout> view(Layout layout);

    /** For each dimension of an operand of that shape, which index of it an index of the result stands for. */
    IndexMap[] indexMaps(Shape operand);

    default Shape apply(Shape shape) {
        return view(Layout.contiguous(shape)).orElseThrow().shape();
    }

    /** The result: a view where there is one, else a copy. */
    default Tensor apply(Tensor tensor) {
        return view(tensor.layout()).map(tensor::asStrided).orElseThrow();
    }

    /** The same of a tensor with one more dimension, in front, along which it does nothing. */
    ViewOp behindFirst();

    /** Whether it mixes dimensions, so that an operand that is broadcast along one of them does not have the others to mix. */
    default boolean mixesDimensions() {
        return false;
    }

    /**
     * What it means for an operand that is broadcast: dimension {@code d} of the result of that shape is dimension {@code d - (rank - operand's rank)}
     * of the operand.
     *
     * @throws UnsupportedOperationException where it {@linkplain #mixesDimensions mixes dimensions}
     */
    List<ViewOp> ofOperand(Shape operand, Shape broadcast);

    /** What stands behind a value in Python's text, where the result has that shape. */
    String python(Shape result);

    /** Whether every element of a tensor of that shape keeps its place. */
    default boolean isIdentity(Shape shape) {
        IndexMap[] maps = indexMaps(shape);
        for (int dim = 0; dim < maps.length; dim++) {
            if (!maps[dim].isAll() && !maps[dim].keeps(dim, shape.size(dim))) {
                return false;
            }
        }
        return apply(shape).equals(shape);
    }

    /** The dimensions in another order: dimension {@code d} of the result is dimension {@code dims[d]} of the operand. */
    record Permute(List<Integer> order) implements ViewOp {
        public Permute(int[] dims) {
            this(Dims.listed(dims));
        }

        public int[] dims() {
            return Dims.array(order);
        }

        @Override
        public Optional<Layout> view(Layout layout) {
            return Optional.of(layout.permute(dims()));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(order.size(), dim -> IndexMap.same(order.indexOf(dim)));
        }

        @Override
        public ViewOp behindFirst() {
            return new Permute(Stream.concat(Stream.of(0), order.stream().map(dim -> dim + 1))
                    .toList());
        }

        /** The operand's own dimensions in their new order, and a dimension of size one for each that it lacks between them. */
        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int lacking = broadcast.rank() - operand.rank();
            List<ViewOp> own = new ArrayList<>();
            List<Integer> ownOrder = order.stream()
                    .filter(dim -> dim >= lacking)
                    .map(dim -> dim - lacking)
                    .toList();
            if (!ownOrder.equals(ownOrder.stream().sorted().toList())) {
                own.add(new Permute(ownOrder));
            }
            int place = 0;
            for (int dim : order) {
                if (dim >= lacking) {
                    place++;
                } else if (place > 0) {
                    own.add(new Unsqueeze(place++));
                }
            }
            return own;
        }

        @Override
        public String python(Shape result) {
            return ".permute(" + Dims.tuple(order.toString()) + ")";
        }

        @Override
        public String toString() {
            return "permute" + order;
        }
    }

    /** The order along these dimensions, ascending, reversed. No view: a stride is never negative. */
    record Flip(List<Integer> turned) implements ViewOp {
        public Flip(int[] dims) {
            this(Dims.listed(dims));
        }

        public int[] dims() {
            return Dims.array(turned);
        }

        @Override
        public Optional<Layout> view(Layout layout) {
            return isIdentity(layout.shape()) ? Optional.of(layout) : Optional.empty();
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            IndexMap[] maps = IndexMap.each(operand.rank(), IndexMap::same);
            for (int dim : turned) {
                maps[dim] = new IndexMap(dim, -1, operand.size(dim) - 1);
            }
            return maps;
        }

        @Override
        public Shape apply(Shape shape) {
            return shape;
        }

        @Override
        public Tensor apply(Tensor tensor) {
            return isIdentity(tensor.shape()) ? tensor : tensor.flip(dims());
        }

        @Override
        public ViewOp behindFirst() {
            return new Flip(turned.stream().map(dim -> dim + 1).toList());
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int lacking = broadcast.rank() - operand.rank();
            List<Integer> own = turned.stream()
                    .map(dim -> dim - lacking)
                    .filter(dim -> dim >= 0 && operand.size(dim) > 1)
                    .toList();
            return own.isEmpty() ? List.of() : List.of(new Flip(own));
        }

        @Override
        public String python(Shape result) {
            return ".flip(" + Dims.tuple(turned.toString()) + ")";
        }

        @Override
        public String toString() {
            return "flip" + turned;
        }
    }

    /**
     * Every {@code step}-th index of one dimension, from {@code start} on and before {@code stop}; of a part with fewer
     * indices those that there are.
     */
    record Crop(int dim, long start, long stop, long step) implements ViewOp {
        @Override
        public Optional<Layout> view(Layout layout) {
            return Optional.of(layout.slice(dim, start, stop, step));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(operand.rank(), d -> d == dim ? new IndexMap(d, step, start) : IndexMap.same(d));
        }

        @Override
        public ViewOp behindFirst() {
            return new Crop(dim + 1, start, stop, step);
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int own = dim - (broadcast.rank() - operand.rank());
            boolean repeated = own < 0 || operand.size(own) != broadcast.size(dim);
            return repeated ? List.of() : List.of(new Crop(own, start, stop, step));
        }

        @Override
        public String python(Shape result) {
            return "[" + ":, ".repeat(dim) + start + ":" + stop + ":" + step + "]";
        }

        @Override
        public String toString() {
            return "slice[" + start + ":" + stop + (step == 1 ? "" : ":" + step) + ", dim=" + dim + "]";
        }
    }

    /** A new dimension of size one, which is dimension {@code dim} of the result. */
    record Unsqueeze(int dim) implements ViewOp {
        @Override
        public Optional<Layout> view(Layout layout) {
            return Optional.of(layout.unsqueeze(dim));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(operand.rank(), d -> IndexMap.same(d < dim ? d : d + 1));
        }

        @Override
        public ViewOp behindFirst() {
            return new Unsqueeze(dim + 1);
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int lacking = broadcast.rank() - operand.rank();
            int own = dim - lacking;
            boolean leads = own < 0 || own == 0 && lacking > 0;
            return leads ? List.of() : List.of(new Unsqueeze(own));
        }

        @Override
        public String python(Shape result) {
            return ".unsqueeze(" + dim + ")";
        }

        @Override
        public String toString() {
            return "unsqueeze[" + dim + "]";
        }
    }

    /** Without that dimension, of size one. */
    record Squeeze(int dim) implements ViewOp {
        @Override
        public Optional<Layout> view(Layout layout) {
            return Optional.of(layout.squeeze(dim));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(operand.rank(), d -> d == dim ? IndexMap.ALL : IndexMap.same(d < dim ? d : d - 1));
        }

        @Override
        public Shape apply(Shape shape) {
            if (shape.size(dim) != 1) {
                throw new IllegalArgumentException("Cannot squeeze shape " + shape + ": dimension " + dim
                        + " is not of size one; leave it as it is");
            }
            return shape.without(dim);
        }

        @Override
        public ViewOp behindFirst() {
            return new Squeeze(dim + 1);
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int own = dim - (broadcast.rank() - operand.rank());
            return own < 0 ? List.of() : List.of(new Squeeze(own));
        }

        @Override
        public String python(Shape result) {
            return ".squeeze(" + dim + ")";
        }

        @Override
        public String toString() {
            return "squeeze[" + dim + "]";
        }
    }

    /**
     * As many elements in another shape, in row-major order: the leading {@code kept} dimensions stay as they are, so that
     * a part with fewer rows can be moved alike, and the others become those of sizes {@code rest}.
     */
    record Reshape(int kept, Shape rest) implements ViewOp {
        public Reshape(int kept, long[] rest) {
            this(kept, Shape.of(rest));
        }

        @Override
        public Optional<Layout> view(Layout layout) {
            return layout.tryView(apply(layout.shape()));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(operand.rank(), d -> d < kept ? IndexMap.same(d) : IndexMap.ALL);
        }

        @Override
        public Shape apply(Shape shape) {
            long[] sizes = Arrays.copyOf(shape.toArray(), kept + rest.rank());
            System.arraycopy(rest.toArray(), 0, sizes, kept, rest.rank());
            return Layout.contiguous(shape).inferShape(sizes);
        }

        @Override
        public Tensor apply(Tensor tensor) {
            return tensor.reshape(apply(tensor.shape()).toArray());
        }

        @Override
        public ViewOp behindFirst() {
            return new Reshape(kept + 1, rest);
        }

        @Override
        public boolean mixesDimensions() {
            return true;
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            throw new UnsupportedOperationException("Cannot carry " + this + " through a pointwise operation");
        }

        @Override
        public String python(Shape result) {
            return ".reshape(" + Dims.tuple(result.toString()) + ")";
        }

        @Override
        public String toString() {
            return "reshape[" + "…, ".repeat(kept) + rest.toString().substring(1);
        }
    }

    /** Windows of so many indices of one dimension, each {@code step} behind the one before; they are a new last dimension. */
    record Unfold(int dim, long size, long step) implements ViewOp {
        @Override
        public Optional<Layout> view(Layout layout) {
            return Optional.of(layout.unfold(dim, size, step));
        }

        @Override
        public IndexMap[] indexMaps(Shape operand) {
            return IndexMap.each(operand.rank(), d -> d == dim ? new IndexMap(d, step, 0, size - 1) : IndexMap.same(d));
        }

        @Override
        public ViewOp behindFirst() {
            return new Unfold(dim + 1, size, step);
        }

        @Override
        public List<ViewOp> ofOperand(Shape operand, Shape broadcast) {
            int own = dim - (broadcast.rank() - operand.rank());
            boolean repeated = own < 0 || operand.size(own) != broadcast.size(dim);
            return List.of(repeated ? new Unsqueeze(operand.rank()) : new Unfold(own, size, step));
        }

        @Override
        public String python(Shape result) {
            return ".unfold(" + dim + ", " + size + ", " + step + ")";
        }

        @Override
        public String toString() {
            return "unfold[" + size + (step == 1 ? "" : ":" + step) + ", dim=" + dim + "]";
        }
    }
}
