package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a launch folds: operands in memory, the loops over what is kept and over what is folded, and the program that makes an
 * accumulator of their elements. The operands are those of a pointwise program, or the nodes that the launch before left.
 *
 * <p>A <em>line</em> is what becomes one result; an operand's strides are in elements.
 *
 * @param keptSizes the loops over lines, outermost first
 * @param foldedSizes the loops along a line, outermost first
 */
record FoldSource(long[] keptSizes, long[] foldedSizes, List<Operand> operands, Program program) {
    /** What an operand's elements are in. */
    enum Memory {
        DEVICE,
        /** A block's: the elements of one line, one behind the other. */
        SHARED,
        /** A register: one element for a line. */
        REGISTER
    }

    /**
     * One operand.
     *
     * @param address in the device's memory; of no meaning in another
     * @param alignment a power of two that divides the address of its first element
     * @param kept its steps in the loops over lines, outermost first
     * @param folded its steps in the loops along a line
     */
    record Operand(DType dtype, Memory memory, Address address, int alignment, long[] kept, long[] folded) {
        /** The C type of its elements. */
        String type() {
            return dtype.cudaName();
        }

        int bytes() {
            return dtype.bytes();
        }

        /** Whether no element is read again, so that it need not stay in a cache. */
        boolean isReadOnce() {
            return Arrays.stream(kept).allMatch(stride -> stride != 0)
                    && Arrays.stream(folded).allMatch(stride -> stride != 0);
        }

        /** Its step to the neighbour along a line, or in the next line. */
        long innermost(boolean along) {
            return last(along ? folded : kept, 0);
        }
    }

    /** Where an operand's elements are, and how they are aligned. */
    record Place(DType dtype, Memory memory, Address address, int alignment, Layout layout) {
        Place(DType dtype, Address address, int alignment, Layout layout) {
            this(dtype, Memory.DEVICE, address, alignment, layout);
        }
    }

    /** Makes an accumulator, or the value that becomes one: statements to run before, and its initialiser. */
    record Lifted(List<String> statements, String one) {}

    /** Writes the program over the names of the operands' elements and the text of the value's place in its line. */
    interface Program {
        Lifted over(IntFunction<String> elements, String place);
    }

    /** A source over a shape, to which all layouts broadcast, and some dimensions of which are folded. */
    static FoldSource of(Shape shape, boolean[] folded, List<Place> places, Program program) {
        LoopNest kept = nest(shape, folded, false, places);
        LoopNest along = nest(shape, folded, true, places);
        List<Operand> operands = new ArrayList<>();
        for (int k = 0; k < places.size(); k++) {
            Place place = places.get(k);
            long[] lines = strides(kept, k);
            long[] steps = strides(along, k);
            operands.add(new Operand(place.dtype, place.memory, place.address, place.alignment, lines, steps));
        }
        return new FoldSource(sizes(kept), sizes(along), operands, program);
    }

    /** The loops over some of the dimensions, in row-major order. */
    private static LoopNest nest(Shape shape, boolean[] folded, boolean which, List<Place> places) {
        int[] dims = IntStream.range(0, shape.rank())
                .filter(dim -> folded[dim] == which)
                .toArray();
        Shape part = Shape.of(Arrays.stream(dims).mapToLong(shape::size).toArray());
        List<Layout> layouts = new ArrayList<>();
        for (Place place : places) {
            Layout expanded = place.layout().expand(shape);
            layouts.add(Layout.of(
                    part, Arrays.stream(dims).mapToLong(expanded::stride).toArray(), 0));
        }
        return LoopNest.of(Layout.contiguous(part), layouts);
    }

    private static long[] sizes(LoopNest nest) {
        return IntStream.range(0, nest.rank()).mapToLong(nest::size).toArray();
    }

    private static long[] strides(LoopNest nest, int operand) {
        return IntStream.range(0, nest.rank())
                .mapToLong(loop -> nest.stride(operand, loop))
                .toArray();
    }

    /** Whether the program sets {@code bool& bl_error}. */
    boolean mayFail() {
        return program.over(k -> "x" + k, "j").statements().stream()
                .anyMatch(line -> line.contains(CudaProgramText.ERROR));
    }

    long lines() {
        return Shape.of(keptSizes).numel();
    }

    long length() {
        return Shape.of(foldedSizes).numel();
    }

    /** The size of the innermost loop along a line, or over lines; 1 where there is none. */
    long innermost(boolean along) {
        return last(along ? foldedSizes : keptSizes, 1);
    }

    private static long last(long[] loops, long none) {
        return loops.length == 0 ? none : loops[loops.length - 1];
    }

    /** What becomes of each operand, by its number, one behind the other. */
    String each(BiFunction<Integer, Operand, String> text) {
        return IntStream.range(0, operands.size())
                .mapToObj(k -> text.apply(k, operands.get(k)))
                .collect(Collectors.joining());
    }
}
