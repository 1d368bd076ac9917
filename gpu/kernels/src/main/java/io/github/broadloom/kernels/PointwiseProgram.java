package io.github.broadloom.kernels;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Pointwise;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operand;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pointwise part of an expression as one kernel: everything from the root down to inputs and to what is no pointwise
 * operation, which are its leaves. Equal values are computed once.
 *
 * @param spec what the kernel computes
 * @param leaves the {@link Input}, or what is computed before, behind each operand of the specification
 * @param numbers what a call gives for {@link KernelSpec#numbers}: Longs and Doubles that their dtypes can hold
 */
public record PointwiseProgram(KernelSpec spec, List<Expr> leaves, List<Object> numbers) {

    /** What is passed to a kernel, and set in one by a method, has bounds of its own: 4 KiB, and 64 KiB of bytecode. What comes later stands in the text. */
    private static final int MOST_NUMBERS = 128;

    public PointwiseProgram {
        leaves = List.copyOf(leaves);
        numbers = List.copyOf(numbers);
    }

    /** The program of an expression. A root that is no pointwise operation is a leaf, too. */
    public static PointwiseProgram of(Expr root) {
        return new Builder(root).build();
    }

    private static final class Builder implements Expr.Visitor<Integer> {
        private final Expr root;
        private final List<Operand> operands = new ArrayList<>();
        private final List<Expr> leaves = new ArrayList<>();
        private final List<Object> numbers = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private final Map<Step, Integer> numbered = new HashMap<>();
        private final Map<Object, Integer> operandOf = new IdentityHashMap<>();
        private final Map<Expr, Integer> stepOf = new IdentityHashMap<>();

        Builder(Expr root) {
            this.root = root;
        }

        PointwiseProgram build() {
            for (Expr node : Graphs.postOrder(root, Builder::read)) {
                if (node == root || !(node instanceof Literal)) { // others are rendered where they are used
                    stepOf.put(node, node.accept(this));
                }
            }
            int result = stepOf(root);
            if (result != steps.size() - 1) { // an equal value came earlier; the result stands last
                steps.add(new Convert(result, root.dtype(), root.dtype()));
            }
            return new PointwiseProgram(new KernelSpec(operands, steps), leaves, numbers);
        }

        /** The children whose elements matter: none of a leaf, and of the model of an expansion only the shape does. */
        private static List<Expr> read(Expr node) {
            if (!(node instanceof Pointwise)) {
                return List.of();
            }
            boolean expands = node instanceof Apply apply && apply.op() == Ops.EXPAND_AS;
            return expands ? node.children().subList(0, 1) : node.children();
        }

        @Override
        public Integer input(Input input) {
            return load(input);
        }

        @Override
        public Integer reduce(Reduce reduce) {
            return load(reduce);
        }

        @Override
        public Integer along(Along along) {
            return load(along);
        }

        @Override
        public Integer rearrange(Rearrange rearrange) {
            return load(rearrange);
        }

        @Override
        public Integer concat(Concat concat) {
            return load(concat);
        }

        @Override
        public Integer contraction(Contraction contraction) {
            return load(contraction);
        }

        @Override
        public Integer gather(Gather gather) {
            return load(gather);
        }

        @Override
        public Integer filter(Filter filter) {
            return load(filter);
        }

        @Override
        public Integer search(Search search) {
            return load(search);
        }

        @Override
        public Integer grouped(Grouped grouped) {
            return load(grouped);
        }

        @Override
        public Integer literal(Literal literal) {
            return literal(literal, literal.dtype(), false);
        }

        @Override
        public Integer cast(Cast cast) {
            return value(cast.operand(), cast.dtype(), false);
        }

        @Override
        public Integer apply(Apply apply) {
            if (apply.op() == Ops.EXPAND_AS) {
                return value(apply.children().get(0), apply.dtype(), false);
            }
            List<Integer> args = new ArrayList<>();
            for (int i = 0; i < apply.children().size(); i++) {
                DType dtype = apply.argumentType(i);
                args.add(value(apply.children().get(i), dtype, apply.op().isInText(i, dtype)));
            }
            return number(new Operation(apply.op(), apply.computeType(), apply.dtype(), List.copyOf(args)));
        }

        /**
         * A child's value, converted.
         *
         * @param inText whether a number decides what code there is
         */
        private int value(Expr child, DType dtype, boolean inText) {
            if (child instanceof Literal literal) {
                return literal(literal, dtype, inText);
            }
            int step = stepOf(child);
            return child.dtype() == dtype ? step : number(new Convert(step, child.dtype(), dtype));
        }

        /** Each use of a number is one of its own: whether two are equal today does not matter to the kernel. */
        private int literal(Literal literal, DType dtype, boolean inText) {
            Object value = literal.valueAs(dtype);
            if (inText || value instanceof Boolean || numbers.size() == MOST_NUMBERS) {
                return number(new Constant(value, dtype));
            }
            numbers.add(value);
            return number(new KernelSpec.Number(numbers.size() - 1, dtype));
        }

        private int stepOf(Expr node) {
            Integer step = stepOf.get(node);
            if (step == null) {
                throw new IllegalStateException("Cannot order the program: " + node + " comes before its argument");
            }
            return step;
        }

        private int load(Expr leaf) {
            Object key = leaf instanceof Input input ? input.source() : leaf;
            Integer operand = operandOf.get(key);
            if (operand == null) {
                operand = leaves.size();
                operandOf.put(key, operand);
                leaves.add(leaf);
                boolean constant = leaf.shape().numel() == 1 && root.shape().numel() != 1;
                operands.add(new Operand(leaf.dtype(), constant ? Access.CONSTANT : Access.VARYING));
            }
            return number(new Load(operand, leaf.dtype()));
        }

        private int number(Step step) {
            Integer known = numbered.get(step);
            if (known != null) {
                return known;
            }
            steps.add(step);
            numbered.put(step, steps.size() - 1);
            return steps.size() - 1;
        }
    }
}
