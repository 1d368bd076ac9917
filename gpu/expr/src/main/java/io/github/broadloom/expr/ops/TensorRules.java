package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ops.DTypeRule.Typing;
import java.util.List;

/** What {@link DTypeRule} says about the dtypes of tensors among the arguments, in PyTorch's words. */
final class TensorRules {
    private TensorRules() {}

    static void refuseBools(List<Expr> args) {
        boolean left = args.get(0).dtype() == DType.BOOL;
        boolean right = args.get(1).dtype() == DType.BOOL;
        if (left && right) {
            throw new IllegalArgumentException("Subtraction, the `-` operator, with two bool tensors is not"
                    + " supported. Use the `^` or `logical_xor()` operator instead.");
        }
        if (left || right) {
            throw new IllegalArgumentException("Subtraction, the `-` operator, with a bool tensor is not supported."
                    + " If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
        }
    }

    static void checkCondition(List<Expr> args) {
        DType condition = args.get(0).dtype();
        if (condition != DType.BOOL && condition != DType.UINT8) {
            throw new IllegalArgumentException(
                    "where expected condition to be a boolean tensor, but got a tensor with dtype "
                            + condition.typeName());
        }
    }

    static void checkSame(List<Expr> args) {
        boolean number = args.get(0) instanceof Literal || args.get(1) instanceof Literal;
        if (!number && args.get(0).dtype() != args.get(1).dtype()) {
            throw new IllegalArgumentException("heaviside is not yet implemented for tensors with different dtypes.");
        }
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
