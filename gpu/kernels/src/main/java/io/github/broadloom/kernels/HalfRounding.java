package io.github.broadloom.kernels;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op.Trait;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.BitSet;
import java.util.List;

/**
 * Where values of float16, and of other reduced floating dtypes, are rounded: halves for short. Every operation's result is, but the bits are the same with less: what is written to the
 * result is rounded on the way, a sign or a choice is the same before rounding as after it, and some operations give halves of
 * halves.
 */
public final class HalfRounding {
    private final List<Step> steps;
    private final BitSet rounded = new BitSet();
    private final BitSet open = new BitSet(); // not rounded where they are made

    public HalfRounding(List<Step> steps) {
        this.steps = steps;
        BitSet wanted = new BitSet(); // whether a user needs the half itself
        for (int user = steps.size() - 1; user >= 0; user--) {
            Step step = steps.get(user);
            boolean passesOn = isTransparent(step) && !wanted.get(user);
            for (int arg : step.args()) {
                if (!passesOn) {
                    wanted.set(arg);
                }
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean made =
                    step.dtype().isReducedFloatingPoint() && (step instanceof Operation || step instanceof Convert);
            boolean inexact = isTransparent(step) ? step.args().stream().anyMatch(open::get) : made && !isExact(step);
            if (inexact) {
                (wanted.get(i) ? rounded : open).set(i);
            }
        }
    }

    private boolean isTransparent(Step step) {
        if (step instanceof Operation operation) {
            return operation.op().is(Trait.PASSES_ROUNDING) && ofHalves(step);
        }
        return step instanceof Convert convert && convert.from() == convert.dtype() && ofHalves(step);
    }

    private boolean isExact(Step step) {
        if (step instanceof Convert convert) {
            return convert.dtype().holds(convert.from());
        }
        return step instanceof Operation operation && operation.op().is(Trait.KEEPS_REDUCED) && ofHalves(step);
    }

    /** Whether a step makes a half of halves. */
    private boolean ofHalves(Step step) {
        DType half = step.dtype();
        return half.isReducedFloatingPoint()
                && step.args().stream()
                        .map(arg -> steps.get(arg).dtype())
                        .allMatch(dtype -> dtype == half || dtype == DType.BOOL);
    }

    /** Whether the value of a step is rounded where it is computed. */
    public boolean isRounded(int step) {
        return rounded.get(step);
    }

    /** Whether the value of a step may be no half yet, though its dtype is such a one. */
    public boolean isOpen(int step) {
        return open.get(step);
    }

    public boolean isAnyRounded() {
        return !rounded.isEmpty();
    }
}
