package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.products.MicroKernelSource;
import io.github.broadloom.cpu.products.MicroKernels;
import io.github.broadloom.device.Backend;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Merges the sums of parts of a contraction's products into the contraction, for operands that are cut along a contracted dimension. The parts are whole
 * {@linkplain Contraction#PANEL panels}, so the tree that they are joined by is the one that the contraction of the whole has, and so are the bits.
 *
 * <p>Safe for use by several threads.
 */
public final class ContractionFold {
    private final Contraction whole;
    private final long panels;
    private final PairwiseTree tree;

    /** A fold for a contraction; only its dtypes, shapes and dimensions are looked at. */
    public ContractionFold(Contraction whole) {
        this.whole = whole;
        this.panels = panels(whole.contractedCount());
        this.tree = new PairwiseTree(panels, "panel", (left, right, before, after) -> added(left, right));
    }

    private static long panels(long places) {
        return (places + Contraction.PANEL - 1) / Contraction.PANEL;
    }

    /**
     * Into how many indices of its first contracted dimension a contraction may be cut: at multiples of that, panels begin.
     */
    public static long alignment(Contraction whole) {
        long inner = Math.max(1, whole.contractedCount() / Math.max(1, firstSize(whole)));
        return Contraction.PANEL / Math.min(Contraction.PANEL, Long.lowestOneBit(inner));
    }

    private static long firstSize(Contraction contraction) {
        return contraction.left().shape().size(contraction.dims()[0]);
    }

    /**
     * The sums of a part of a contraction.
     *
     * @param part the contraction of the operands' parts, whose inputs are tensors
     * @param first the index of the part along the first contracted dimension; a multiple of the {@link #alignment}
     * @return O(log panels) nodes; none where there are no products
     */
    public static List<FoldNode> partials(Backend backend, Contraction part, long first) {
        List<FoldNode> nodes = new ArrayList<>();
        long places = part.contractedCount();
        if (places == 0) {
            return nodes;
        }
        List<Tensor> own = new ArrayList<>();
        try {
            Tensor left = lines(backend, part.left(), part.dims(), own);
            Tensor right = lines(backend, part.right(), part.dims(), own);
            long from = first * (places / firstSize(part)) / Contraction.PANEL;
            long end = from + panels(places);
            for (long panel = from; panel < end; ) {
                int level = level(panel, end);
                long start = (panel - from) * Contraction.PANEL;
                long length = Math.min(places - start, (long) Contraction.PANEL << level);
                Expr sums = Expr.contract(wide(left.narrow(0, start, length)), wide(right.narrow(0, start, length)), 0);
                nodes.add(new FoldNode(level, panel >> level, array(backend.evaluate(sums))));
                panel += 1L << level;
            }
        } finally {
            own.forEach(Tensor::release);
        }
        return nodes;
    }

    /** The level of the greatest node that begins with that panel and ends before {@code end}. */
    private static int level(long panel, long end) {
        int most = 63 - Long.numberOfLeadingZeros(end - panel);
        return panel == 0 ? most : Math.min(most, Long.numberOfTrailingZeros(panel));
    }

    /** An operand with the contracted dimensions as one, before all others; {@code own} gets the fresh tensors that it takes. */
    private static Tensor lines(Backend backend, Expr operand, int[] dims, List<Tensor> own) {
        Tensor value = operand instanceof Input input ? (Tensor) input.source() : backend.evaluate(operand);
        if (!(operand instanceof Input)) {
            own.add(value);
        }
        int[] others = IntStream.range(0, value.rank())
                .filter(d -> Arrays.binarySearch(dims, d) < 0)
                .toArray();
        int[] order =
                IntStream.concat(Arrays.stream(dims), Arrays.stream(others)).toArray();
        long count = Arrays.stream(dims).mapToLong(value.shape()::size).reduce(1, Math::multiplyExact);
        long[] sizes = LongStream.concat(
                        LongStream.of(count), Arrays.stream(others).mapToLong(value.shape()::size))
                .toArray();
        Tensor lines = value.permute(order).reshape(sizes);
        if (lines.storage() != value.storage()) {
            own.add(lines);
        }
        return lines;
    }

    private static Expr wide(Tensor tensor) {
        return Expr.cast(Input.of(tensor), tensor.dtype().widened());
    }

    private static Object array(Tensor tensor) {
        Object array = tensor.dtype().primitive().newArray(Math.toIntExact(tensor.numel()));
        RawMemory.copy(null, tensor.address(), array, RawMemory.firstElement(array), sizeBytes(tensor));
        tensor.release();
        return array;
    }

    /**
     * Takes a node, and its array with it.
     *
     * @throws IllegalStateException when panels of it are there already
     */
    public synchronized void push(FoldNode node) {
        tree.push(node);
    }

    /** What is merged so far, in the order of the panels: for another fold to go on with. The nodes keep their arrays. */
    public synchronized List<FoldNode> nodes() {
        return tree.nodes();
    }

    private MicroKernels products() {
        return MicroKernelSource.of(whole.dtype().valueType());
    }

    private Object added(Object left, Object right) {
        products().add(left, right, FoldNode.numbers(left));
        return left;
    }

    /**
     * The contraction, once every panel is there: what is left is joined from the smaller to the greater.
     *
     * @return a fresh contiguous tensor
     * @throws IllegalStateException when panels are missing
     */
    public synchronized Tensor finish() {
        Shape shape = whole.shape();
        if (panels == 0 || shape.numel() == 0) {
            return Tensors.zeros(shape, whole.dtype());
        }
        tree.checkComplete(panels);
        Object total = tree.joinFromRight();
        products().keepOneNaN(total, FoldNode.numbers(total)); // one stands for all
        Tensor sums = Tensors.empty(whole.dtype().widened(), shape);
        RawMemory.copy(total, RawMemory.firstElement(total), null, sums.address(), sizeBytes(sums));
        return sums.dtype() == whole.dtype() ? sums : sums.to(whole.dtype());
    }

    private static long sizeBytes(Tensor tensor) {
        return tensor.numel() * tensor.dtype().bytes();
    }
}
