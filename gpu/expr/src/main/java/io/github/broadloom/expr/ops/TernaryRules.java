package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ops.DTypeRule.Typing;
import java.util.List;

/** The rules of {@link DTypeRule} for operations that want equal dtypes, or take three tensors, in PyTorch's words. */
final class TernaryRules {
    private TernaryRules() {}

    static void checkSame(List<Expr> args) {
        boolean number = args.get(0) instanceof Literal || args.get(1) instanceof Literal;
        if (!number && args.get(0).dtype() != args.get(1).dtype()) {
            throw new IllegalArgumentException("heaviside is not yet implemented for tensors with different dtypes.");
        }
    }

    /** Three operands and a factor. */
    static Typing withFactor(List<Expr> args) {
        Typing typing = DTypeRule.keepingScalar(DTypeRule.promoted(args.subList(0, 3)));
        NumberRules.checkFits(args.subList(3, 4), typing.compute());
        return typing;
    }

    static void checkQuotient(List<Expr> args) {
        if (isWhole(args.get(1)) && isWhole(args.get(2))) {
            throw new IllegalArgumentException("Integer division with addcdiv is no longer supported, and in a future "
                    + " release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv"
                    + " behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype)"
                    + " for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future"
                    + " addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for"
                    + " all dtypes.");
        }
    }

    private static boolean isWhole(Expr operand) {
        return !operand.dtype().isFloatingPoint();
    }

    static void checkLerp(List<Expr> args) {
        DType dtype = args.get(0).dtype();
        Expr end = args.get(1);
        Expr weight = args.get(2);
        boolean number = args.get(0) instanceof Literal || end instanceof Literal;
        if (!number && end.dtype() != dtype) {
            throw unexpected(dtype, "end", end.dtype());
        }
        if (!number && weight.shape().rank() != 0 && weight.dtype() != dtype) {
            throw unexpected(dtype, "weight", weight.dtype());
        }
    }

    static Typing lerp(List<Expr> args) {
        boolean number = args.get(2) instanceof Literal;
        Typing typing = DTypeRule.keepingScalar(DTypeRule.promoted(number ? args.subList(0, 2) : args));
        if (typing.compute().kind() != Kind.FLOATING) {
            throw new IllegalArgumentException("\"lerp_kernel_" + (number ? "scalar" : "tensor")
                    + "\" not implemented for '" + typing.compute().typeName() + "'");
        }
        NumberRules.checkFits(args.subList(2, 3), typing.compute());
        return typing;
    }

    private static IllegalArgumentException unexpected(DType expected, String argument, DType got) {
        return new IllegalArgumentException(
                "expected dtype " + expected.cxxName() + " for `" + argument + "` but got dtype " + got.cxxName());
    }
}
