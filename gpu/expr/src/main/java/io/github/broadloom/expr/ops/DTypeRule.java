package io.github.broadloom.expr.ops;

import static io.github.broadloom.dtype.DType.BOOL;
import static io.github.broadloom.dtype.DType.FLOAT32;
import static io.github.broadloom.dtype.DType.FLOAT64;
import static io.github.broadloom.dtype.DType.UINT8;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Expansion;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import java.util.List;

/**
 * How the dtypes of an operation's arguments decide in which dtype it is computed and which dtype results: PyTorch's
 * rules, read from its documentation and held by the conformance vectors.
 */
public enum DTypeRule {
    /** Computed in the promoted dtype, which is also the result's. */
    PROMOTE("promoted"),

    /**
     * As {@link #PROMOTE}, and for float16 the arithmetic keeps the float32 precision of a plain number, or of a single
     * element on the right, as PyTorch's CPU kernels of mul and div do; those of add and sub round it first.
     */
    MULTIPLY("promoted") {
        @Override
        public Typing type(List<Expr> args) {
            return keepingScalar(promoted(args));
        }
    },

    /** As {@link #PROMOTE}; bool tensors are refused. */
    SUBTRACT("promoted, no bool") {
        @Override
        public void check(List<Expr> args) {
            refuseBools(args.get(0).dtype() == BOOL, args.get(1).dtype() == BOOL);
        }
    },

    /** True division: {@link #MULTIPLY} of floating numbers; bools and integers become float32. */
    DIVIDE("floating") {
        @Override
        public Typing type(List<Expr> args) {
            return keepingScalar(floating(promoted(args)));
        }
    },

    /** A function of floating numbers: bools and integers become float32. */
    FLOAT("floating") {
        @Override
        public Typing type(List<Expr> args) {
            return Typing.same(floating(promoted(args)));
        }
    },

    /** As {@link #PROMOTE}; bools become int64, as in PyTorch, where the square is a power with a plain 2. */
    SQUARE("promoted, bool to int64") {
        @Override
        public Typing type(List<Expr> args) {
            DType dtype = promoted(args);
            return Typing.same(dtype == BOOL ? DType.INT64 : dtype);
        }
    },

    /** Compared, or tested for truth, in the promoted dtype; the result is bool. */
    TRUTH("bool") {
        @Override
        public Typing type(List<Expr> args) {
            return new Typing(promoted(args), BOOL);
        }
    },

    /**
     * As {@link #PROMOTE}; a plain number that is zero in an integer's dtype is refused as divisor, as PyTorch refuses
     * it where there is anything to divide.
     */
    INTEGER_DIVIDE("promoted") {
        @Override
        public void checkNumbers(Op op, List<Expr> args) {
            NumberRules.refuseZero(args);
        }
    },

    /**
     * As {@link #INTEGER_DIVIDE} in what is refused. For float16 the steps of the computation are those of float32
     * where the divisor is a single element, and else each rounded, as in PyTorch's CPU kernels.
     */
    FLOOR_DIVIDE("promoted") {
        @Override
        public void checkNumbers(Op op, List<Expr> args) {
            NumberRules.refuseZero(args);
        }

        @Override
        public Typing type(List<Expr> args) {
            DType dtype = promoted(args);
            return args.get(1).shape().numel() == 1 ? keepingScalar(dtype) : Typing.same(dtype);
        }
    },

    /**
     * As {@link #PROMOTE}; a plain exponent that is negative for integers, or that the dtype cannot hold, is refused. To
     * float32 a plain number is an exponent of float64 precision, as in PyTorch.
     */
    POWER("promoted") {
        @Override
        public void check(List<Expr> args) {
            NumberRules.checkExponent(args);
        }

        @Override
        public void checkNumbers(Op op, List<Expr> args) {
            NumberRules.checkPower(args);
        }

        @Override
        public Typing type(List<Expr> args) {
            DType dtype = promoted(args);
            return args.get(1) instanceof Literal && dtype == FLOAT32
                    ? new Typing(FLOAT64, FLOAT32)
                    : Typing.same(dtype);
        }
    },

    /** The dtype of the first, whose shape must expand to that of the second. */
    EXPAND("that of the first") {
        @Override
        public void check(List<Expr> args) {
            Expansion.shape(args.get(0), args.get(1).shape().toArray());
        }

        @Override
        public Typing type(List<Expr> args) {
            return Typing.same(args.get(0).dtype());
        }
    },

    /** A bool (or, as in PyTorch, uint8) condition, then two choices that promote. */
    WHERE("promoted from the choices") {
        @Override
        public void check(List<Expr> args) {
            DType condition = args.get(0).dtype();
            if (condition != BOOL && condition != UINT8) {
                throw new IllegalArgumentException(
                        "where expected condition to be a boolean tensor, but got a tensor with dtype "
                                + condition.typeName());
            }
        }

        @Override
        public void checkNumbers(Op op, List<Expr> args) {
            DType dtype = promoted(args.subList(1, 3));
            if (!dtype.isReducedFloatingPoint()) { // PyTorch lets a number overflow there
                NumberRules.checkFits(args.subList(1, 3), dtype);
            }
        }

        @Override
        public Typing type(List<Expr> args) {
            return Typing.same(promoted(args.subList(1, 3)));
        }

        @Override
        public DType argumentType(int index, DType compute) {
            return index == 0 ? BOOL : compute;
        }
    },

    /** Held between bounds in the promoted dtype, which must be able to hold a plain bound; no plain bounds of bools. */
    CLAMP("promoted") {
        @Override
        public void checkNumbers(Op op, List<Expr> args) {
            NumberRules.checkBounds(args, op.name() + "_scalar_cpu");
        }
    },

    /** As {@link #PROMOTE} for the one argument; the parameters keep float32 precision beside a float16. */
    PARAMETRIC("promoted") {
        @Override
        public Typing type(List<Expr> args) {
            Typing typing = keepingScalar(promoted(args.subList(0, 1)));
            NumberRules.checkFits(args.subList(1, args.size()), typing.compute());
            return typing;
        }
    },

    /** Both arguments must have one dtype, as in PyTorch; plain numbers take it. */
    SAME("that of both") {
        @Override
        public void check(List<Expr> args) {
            TernaryRules.checkSame(args);
        }
    },

    /**
     * As {@link #PROMOTE} for the three tensors; the factor is converted to their dtype, which must be able to hold it.
     */
    ADDCMUL("promoted") {
        @Override
        public Typing type(List<Expr> args) {
            return TernaryRules.withFactor(args);
        }
    },

    /** As {@link #ADDCMUL}; a quotient of two integers is refused. */
    ADDCDIV("promoted") {
        @Override
        public void check(List<Expr> args) {
            TernaryRules.checkQuotient(args);
        }

        @Override
        public Typing type(List<Expr> args) {
            return TernaryRules.withFactor(args);
        }
    },

    /** Tensors of one dtype, but that a zero-dim weight promotes; a plain weight keeps float32 precision. */
    LERP("that of input and end") {
        @Override
        public void check(List<Expr> args) {
            TernaryRules.checkLerp(args);
        }

        @Override
        public Typing type(List<Expr> args) {
            return TernaryRules.lerp(args);
        }
    };

    private final String result;

    DTypeRule(String result) {
        this.result = result;
    }

    /** The dtype of the result, in a word or two. */
    public String result() {
        return result;
    }

    /** The dtype that the arguments are converted to and that chooses the template; the dtype of the result. */
    public record Typing(DType compute, DType result) {
        static Typing same(DType dtype) {
            return new Typing(dtype, dtype);
        }
    }

    /** What PyTorch refuses before it looks at the shapes. */
    public void check(List<Expr> args) {}

    /** What PyTorch's kernels refuse of plain numbers, when everything else is in order. */
    public void checkNumbers(Op op, List<Expr> args) {}

    /** The dtypes of the computation and of the result; where a rule says nothing else, both are the promoted one. */
    public Typing type(List<Expr> args) {
        return Typing.same(promoted(args));
    }

    /** The dtype that argument {@code index} is converted to before the template sees it. */
    public DType argumentType(int index, DType compute) {
        return compute;
    }

    private static void refuseBools(boolean left, boolean right) {
        if (left && right) {
            throw new IllegalArgumentException("Subtraction, the `-` operator, with two bool tensors is not"
                    + " supported. Use the `^` or `logical_xor()` operator instead.");
        }
        if (left || right) {
            throw new IllegalArgumentException("Subtraction, the `-` operator, with a bool tensor is not supported."
                    + " If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
        }
    }

    static DType promoted(List<Expr> args) {
        return Promotion.resultType(args.stream().map(Expr::term).toList());
    }

    static DType floating(DType dtype) {
        return dtype.isFloatingPoint() ? dtype : FLOAT32;
    }

    static Typing keepingScalar(DType result) {
        return new Typing(result.isReducedFloatingPoint() ? result.widened() : result, result);
    }
}
