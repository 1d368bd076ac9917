package io.github.broadloom.spark;

import io.github.broadloom.expr.fluent.LeftOperators;
import io.github.broadloom.expr.fluent.OpsBase;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.lazy.LazyTensor;

/**
 * The operators of Scala for a distributed tensor with a local expression on the right, as {@code x - (t - t.mean(0))} has one; on its left, {@link LeftOperators} has them. The result is
 * distributed.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public interface RightOperators extends OpsBase<DistributedTensor> {
    /** {@code x + local}. */
    default DistributedTensor $plus(LazyTensor local) {
        return apply(Ops.ADD, local);
    }

    /** {@code x - local}. */
    default DistributedTensor $minus(LazyTensor local) {
        return apply(Ops.SUB, local);
    }

    /** {@code x * local}. */
    default DistributedTensor $times(LazyTensor local) {
        return apply(Ops.MUL, local);
    }

    /** {@code x / local}. */
    default DistributedTensor $div(LazyTensor local) {
        return apply(Ops.DIV, local);
    }

    /** {@code x % local}. */
    default DistributedTensor $percent(LazyTensor local) {
        return apply(Ops.REMAINDER, local);
    }

    /** {@code x & local}. */
    default DistributedTensor $amp(LazyTensor local) {
        return apply(Ops.BITWISE_AND, local);
    }

    /** {@code x | local}. */
    default DistributedTensor $bar(LazyTensor local) {
        return apply(Ops.BITWISE_OR, local);
    }

    /** {@code x ^ local}. */
    default DistributedTensor $up(LazyTensor local) {
        return apply(Ops.BITWISE_XOR, local);
    }

    /** {@code x << local}. */
    default DistributedTensor $less$less(LazyTensor local) {
        return apply(Ops.BITWISE_LEFT_SHIFT, local);
    }

    /** {@code x >> local}. */
    default DistributedTensor $greater$greater(LazyTensor local) {
        return apply(Ops.BITWISE_RIGHT_SHIFT, local);
    }

    /** {@code x < local}. */
    default DistributedTensor $less(LazyTensor local) {
        return apply(Ops.LT, local);
    }

    /** {@code x <= local}. */
    default DistributedTensor $less$eq(LazyTensor local) {
        return apply(Ops.LE, local);
    }

    /** {@code x > local}. */
    default DistributedTensor $greater(LazyTensor local) {
        return apply(Ops.GT, local);
    }

    /** {@code x >= local}. */
    default DistributedTensor $greater$eq(LazyTensor local) {
        return apply(Ops.GE, local);
    }

    /** {@code x === local}. */
    default DistributedTensor $eq$eq$eq(LazyTensor local) {
        return apply(Ops.EQ, local);
    }

    /** {@code x =!= local}. */
    default DistributedTensor $eq$bang$eq(LazyTensor local) {
        return apply(Ops.NE, local);
    }
}
