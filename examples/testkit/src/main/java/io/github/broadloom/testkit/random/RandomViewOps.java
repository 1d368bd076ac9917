package io.github.broadloom.testkit.random;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.testkit.random.RandomExprs.Proposal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Seeded rearrangements of what has a given shape: each as an expression, of a tensor, and as Python writes it. */
record RandomViewOps(RandomTensors from) {
    /** One rearrangement; the text stands behind the value, such as {@code .permute(1, 0)}. */
    record RandomMove(String text, UnaryOperator<Expr> ofExpr, UnaryOperator<Tensor> ofTensor) {}

    /** One of a node, or a join of some, seldom one that does not fit. */
    Proposal propose(Expr node, List<Expr> nodes) {
        if (from.below(5) == 0) {
            return join(node, nodes);
        }
        RandomMove move = next(from.below(12) == 0 ? from.shape(3) : node.shape());
        return new Proposal(List.of(node), args -> move.ofExpr().apply(args.get(0)), args -> args.get(0) + move.text());
    }

    private Proposal join(Expr node, List<Expr> nodes) {
        int rank = node.shape().rank();
        int dim = from.below(Math.max(1, rank)) - (from.below(2) == 0 ? 0 : Math.max(1, rank));
        boolean stacks = from.below(3) == 0;
        List<Expr> parts = new ArrayList<>(List.of(node));
        for (Expr other : nodes) {
            boolean fits = other.shape().rank() == rank || from.below(8) == 0;
            if (fits && parts.size() < 4 && from.below(2) == 0 && other.shape().numel() < 1000) {
                parts.add(other);
            }
        }
        return new Proposal(
                parts,
                args -> stacks ? ViewOps.stack(args, dim) : Expr.concat(args, dim),
                args -> (stacks ? "stack" : "cat") + "((" + String.join(", ", args) + ",), " + dim + ")");
    }

    RandomMove next(Shape shape) {
        int rank = shape.rank();
        int dim = from.below(Math.max(1, rank));
        switch (from.below(11)) {
            case 0:
                int[] order = from.permutation(rank);
                if (rank > 0) {
                    return new RandomMove(
                            ".permute(" + listed(order) + ")", x -> ViewOps.permute(x, order), x -> x.permute(order));
                }
                break;
            case 1:
                int other = -1 - from.below(Math.max(1, rank));
                return new RandomMove(
                        ".transpose(" + dim + ", " + other + ")",
                        x -> ViewOps.transpose(x, dim, other),
                        x -> x.transpose(dim, other));
            case 2:
                int to = from.below(Math.max(1, rank));
                return new RandomMove(
                        ".movedim(" + dim + ", " + to + ")", x -> ViewOps.movedim(x, dim, to), x -> x.movedim(dim, to));
            case 3:
                int at = from.below(rank + 1);
                return new RandomMove(".unsqueeze(" + at + ")", x -> ViewOps.unsqueeze(x, at), x -> x.unsqueeze(at));
            case 4:
                return new RandomMove(".squeeze(" + dim + ")", x -> ViewOps.squeeze(x, dim), x -> x.squeeze(dim));
            case 5:
                int[] dims = Arrays.copyOf(from.permutation(rank), from.below(rank + 1));
                if (dims.length > 0) {
                    return new RandomMove(".flip(" + listed(dims) + ")", x -> ViewOps.flip(x, dims), x -> x.flip(dims));
                }
                break;
            case 6:
                if (rank > 0 && shape.size(dim) > 0) {
                    long index = from.below((int) shape.size(dim)) - (from.below(2) == 0 ? 0 : shape.size(dim));
                    return new RandomMove(
                            "[" + ":, ".repeat(dim) + index + "]",
                            x -> ViewOps.select(x, dim, index),
                            x -> x.select(dim, index));
                }
                break;
            case 7, 8:
                if (rank > 0) {
                    return slice(dim, (int) shape.size(dim));
                }
                break;
            case 9:
                int start = from.below(Math.max(1, rank));
                int end = start + from.below(Math.max(1, rank - start));
                return new RandomMove(
                        ".flatten(" + start + ", " + end + ")",
                        x -> ViewOps.flatten(x, start, end),
                        x -> x.flatten(start, end));
            default:
        }
        long[] sizes = refactored(shape);
        return new RandomMove(
                ".reshape(" + (sizes.length == 0 ? "()" : listed(sizes)) + ")",
                x -> ViewOps.reshape(x, sizes),
                x -> x.reshape(sizes));
    }

    private RandomMove slice(int dim, int size) {
        Slice slice = new Slice(
                from.below(3) == 0 ? null : (long) from.below(size + 2) - (from.below(3) == 0 ? size : 0),
                from.below(3) == 0 ? null : (long) from.below(size + 3) - (from.below(4) == 0 ? size : 0),
                1 + from.below(3));
        return new RandomMove(
                "[" + ":, ".repeat(dim) + slice + "]", x -> ViewOps.slice(x, dim, slice), x -> x.slice(dim, slice));
    }

    /** Sizes of the same product: neighbours multiplied, sizes split, ones strewn in. */
    private long[] refactored(Shape shape) {
        List<Long> sizes = new ArrayList<>();
        for (long size : shape.toArray()) {
            boolean joins = !sizes.isEmpty() && from.below(3) == 0;
            if (joins) {
                sizes.set(sizes.size() - 1, sizes.get(sizes.size() - 1) * size);
            } else if (size > 0 && size % 2 == 0 && from.below(2) == 0) {
                sizes.addAll(List.of(2L, size / 2));
            } else {
                sizes.add(size);
            }
            if (from.below(5) == 0) {
                sizes.add(1L);
            }
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private static String listed(int... values) {
        return listed(IntStream.of(values).asLongStream().toArray());
    }

    private static String listed(long... values) {
        return LongStream.of(values).mapToObj(Long::toString).collect(Collectors.joining(", "));
    }
}
