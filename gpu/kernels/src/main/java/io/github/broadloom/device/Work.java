package io.github.broadloom.device;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.tensor.Tensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * What an expression takes, counted and not measured.
 *
 * @param bytesIn of its operands as they are stored: what is broadcast counts once
 * @param bytesOut of its result
 * @param movedBytes that its passes read and write
 * @param operations on elements, those that are no plain arithmetic several times
 * @param passes over memory: one, and one for each reduction
 */
public record Work(double bytesIn, double bytesOut, double movedBytes, double operations, int passes) {
    /** What exp, log and their kin cost, in simple operations. */
    private static final int FUNCTION = 8;

    /** The work of a simplified expression. */
    public static Work of(Expr root) {
        Count count = new Count(root);
        root.postOrder().forEach(node -> node.accept(count));
        double out = bytes(root);
        return new Work(count.in, out, count.in + count.between + out, count.operations, count.passes);
    }

    private static double bytes(Expr node) {
        return (double) node.shape().numel() * node.dtype().bytes();
    }

    private static final class Count implements Expr.Visitor<Count> {
        private final Expr root;
        private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        private double in;
        private double between;
        private double operations;
        private int passes = 1;

        Count(Expr root) {
            this.root = root;
        }

        private Count pass(double arithmetic) {
            operations += arithmetic;
            passes++;
            return this;
        }

        /** The bytes of an operand that were not counted yet; of one that is not here yet, all that it will have. */
        @Override
        public Count input(Input input) {
            if (!(input.source() instanceof Tensor tensor)) {
                in += bytes(input);
            } else if (seen.add(tensor.storage())) {
                in += Math.min(bytes(input), tensor.storage().sizeBytes());
            }
            return this;
        }

        @Override
        public Count literal(Literal literal) {
            return this;
        }

        @Override
        public Count apply(Apply apply) {
            operations += (double) apply.shape().numel() * (apply.op().ulp() > 1 ? FUNCTION : 1);
            return this;
        }

        @Override
        public Count cast(Cast cast) {
            return this;
        }

        @Override
        public Count reduce(Reduce reduce) {
            between += reduce == root ? 0 : 2 * bytes(reduce);
            return pass(reduce.operand().shape().numel());
        }

        @Override
        public Count along(Along along) {
            return pass(along.operand().shape().numel() * (double) FUNCTION);
        }

        @Override
        public Count rearrange(Rearrange rearrange) {
            return this;
        }

        @Override
        public Count concat(Concat concat) {
            return this;
        }

        @Override
        public Count contraction(Contraction contraction) {
            return pass(2.0 * contraction.shape().numel() * contraction.contractedCount());
        }

        @Override
        public Count grouped(Grouped grouped) {
            between += grouped == root ? 0 : 2 * bytes(grouped);
            return pass(grouped.operand().shape().numel());
        }

        @Override
        public Count filter(Filter filter) {
            between += filter == root ? 0 : 2 * bytes(filter);
            return pass(filter.operand().shape().numel());
        }

        @Override
        public Count search(Search search) {
            between += search == root ? 0 : 2 * bytes(search);
            int halvings = Long.SIZE - Long.numberOfLeadingZeros(search.lineLength());
            return pass((double) search.shape().numel() * halvings);
        }

        @Override
        public Count gather(Gather gather) {
            between += gather == root ? 0 : 2 * bytes(gather);
            return pass(gather.shape().numel());
        }
    }
}
