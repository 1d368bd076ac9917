package io.github.broadloom.kernels;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A pointwise expression that reads reductions of its own lines, as softmax does: along the last dimension, which is kept, of operands that have
 * the expression's shape. A reduction's operand may read others. All of it can be computed line by line.
 *
 * @param shape of the expression
 * @param folds the reductions, those of one operand together, behind those that their operands read
 * @param root the expression over tensors and the reductions
 * @param leaves what is no such reduction: the operands of all the programs, each once
 */
public record LineProgram(Shape shape, List<Fold> folds, PointwiseProgram root, List<Expr> leaves) {
    /** More are not worth one kernel's registers. */
    private static final int MOST_FOLDS = 6;

    /**
     * Reductions of one operand.
     *
     * @param program of the operand
     */
    public record Fold(List<Reduce> reductions, PointwiseProgram program) {}

    /**
     * The lines of a pointwise expression; empty where it has none, or reads too many reductions of them.
     *
     * @param known which reductions are leaves
     */
    public static Optional<LineProgram> of(Expr root, Predicate<Expr> known) {
        PointwiseProgram program = PointwiseProgram.of(root);
        Finder finder = new Finder(root.shape(), known);
        if (root.shape().numel() == 0 || !finder.follow(program) || finder.folds.isEmpty()) {
            return Optional.empty();
        }
        List<Fold> folds = finder.folds.values().stream()
                .map(fold -> new Fold(List.copyOf(fold.reductions()), fold.program()))
                .toList();
        return Optional.of(new LineProgram(root.shape(), folds, program, List.copyOf(finder.leaves.values())));
    }

    public List<Reduce> reductions() {
        return folds.stream().flatMap(fold -> fold.reductions().stream()).toList();
    }

    /** The programs of the folds, then the root's. */
    public List<PointwiseProgram> programs() {
        List<PointwiseProgram> programs = new ArrayList<>();
        folds.forEach(fold -> programs.add(fold.program()));
        programs.add(root);
        return programs;
    }

    /** The numbers that a call gives: of one program after the other. */
    public List<Object> numbers() {
        return programs().stream()
                .flatMap(program -> program.numbers().stream())
                .toList();
    }

    /** Which of the leaves each operand of a program is; of a reduction, the leaves' number and behind it the reduction's. */
    public List<Integer> operands(PointwiseProgram program) {
        List<Object> keys =
                new ArrayList<>(leaves.stream().map(LineProgram::key).toList());
        keys.addAll(reductions());
        return program.leaves().stream()
                .map(leaf -> IntStream.range(0, keys.size())
                        .filter(i -> keys.get(i) == key(leaf))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** What tells whether two leaves are one, as {@link PointwiseProgram} does. */
    private static Object key(Expr leaf) {
        return leaf instanceof Input input ? input.source() : leaf;
    }

    private static final class Finder {
        private final Shape shape;
        private final Predicate<Expr> known;
        private final Map<Expr, Fold> folds = new LinkedHashMap<>();
        private final Map<Object, Expr> leaves = new LinkedHashMap<>();
        private int programs;

        Finder(Shape shape, Predicate<Expr> known) {
            this.shape = shape;
            this.known = known;
        }

        /** Takes what a program reads; false where that is too much. */
        private boolean follow(PointwiseProgram program) {
            for (Expr leaf : program.leaves()) {
                if (!(leaf instanceof Reduce reduce) || !isOfLine(reduce) || known.test(reduce)) {
                    leaves.putIfAbsent(key(leaf), leaf);
                } else if (!fold(reduce)) {
                    return false;
                }
            }
            return true;
        }

        private boolean fold(Reduce reduce) {
            Fold fold = folds.get(reduce.operand());
            if (fold == null) {
                fold = new Fold(new ArrayList<>(), PointwiseProgram.of(reduce.operand()));
                programs++;
                if (programs > MOST_FOLDS || !follow(fold.program())) {
                    return false;
                }
                folds.put(reduce.operand(), fold);
            }
            if (!fold.reductions().contains(reduce)) {
                fold.reductions().add(reduce);
            }
            return true;
        }

        private boolean isOfLine(Reduce reduce) {
            int last = shape.rank() - 1;
            return reduce.keepDim().keeps()
                    && reduce.dims().length == 1
                    && reduce.dims()[0] == last
                    && reduce.operand().shape().equals(shape);
        }
    }
}
