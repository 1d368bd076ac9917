package io.github.broadloom.expr;

import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A contraction as products of matrices: which of its operands' dimensions are batches, which are rows, columns and places. A dimension of size one in both
 * operands is none of them.
 *
 * @param batches in which both operands vary
 * @param rows in which the left operand alone varies
 * @param columns in which the right operand alone varies
 * @param places that are contracted
 * @param ones of size one in both
 */
public record MatrixDims(
        List<Integer> batches, List<Integer> rows, List<Integer> columns, List<Integer> places, List<Integer> ones) {

    public static MatrixDims of(Contraction contraction) {
        MatrixDims dims = new MatrixDims(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Shape left = contraction.left().shape();
        Shape right = contraction.right().shape();
        for (int dim = 0; dim < left.rank(); dim++) {
            boolean inLeft = left.size(dim) != 1;
            boolean inRight = right.size(dim) != 1;
            List<Integer> role = contraction.contracts(dim)
                    ? dims.places
                    : inLeft && inRight ? dims.batches : inLeft ? dims.rows : inRight ? dims.columns : dims.ones;
            role.add(dim);
        }
        return dims;
    }

    /** An operand's dimensions in the order of its matrices: batches, the lines, what lies along them, and the rest, which is of size one. */
    public int[] order(int rank, List<Integer> lines, List<Integer> along) {
        List<Integer> order = new ArrayList<>(batches);
        order.addAll(lines);
        order.addAll(along);
        IntStream.range(0, rank).filter(dim -> !order.contains(dim)).forEach(order::add);
        return Dims.array(order);
    }

    /** The result's dimensions in the order of its matrices: batches, rows, columns, and the rest. */
    public int[] resultOrder() {
        List<Integer> order = new ArrayList<>(batches);
        order.addAll(rows);
        order.addAll(columns);
        order.addAll(ones);
        return order.stream()
                .mapToInt(dim ->
                        dim - (int) places.stream().filter(other -> other < dim).count())
                .toArray();
    }

    /** The sizes of an operand as matrices, whose batches are dimensions as they are, or one. */
    public Shape matrices(Shape operand, List<Integer> lines, List<Integer> along) {
        return Shape.of(LongStream.concat(
                        batches.stream().mapToLong(operand::size),
                        LongStream.of(count(operand, lines), count(operand, along)))
                .toArray());
    }

    /** How many places of those dimensions a shape has. */
    public static long count(Shape shape, List<Integer> dims) {
        return dims.stream().mapToLong(shape::size).reduce(1, (a, b) -> a * b);
    }

    /** The order that undoes one. */
    public static int[] inverse(int[] order) {
        int[] back = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            back[order[place]] = place;
        }
        return back;
    }
}
