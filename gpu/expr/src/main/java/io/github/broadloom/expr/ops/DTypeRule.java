package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.ViewOps;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How the dtypes of an operation's arguments decide in which dtype it is computed and which dtype results: PyTorch's
 * rules, read from its documentation and held by the conformance vectors.
 */
public enum DTypeRule {
    /** Computed in the promoted dtype, which is also the result's. */
    PROMOTE("promoted", args -> Typing.same(promoted(args))),
    /**
     * As {@link #PROMOTE}, and for float16 the arithmetic keeps the float32 precision of a plain number, or of a single
     * element on the right, as PyTorch's CPU kernels of mul and div do; those of add and sub round it first.
     */
    MULTIPLY("promoted", args -> keepingScalar(promoted(args))),
    /** As {@link #PROMOTE}; bool tensors are refused. */
    SUBTRACT("promoted, no bool", TensorRules::refuseBools, PROMOTE.typing),
    /** True division: {@link #MULTIPLY} of floating numbers; bools and integers become float32. */
    DIVIDE("floating", args -> keepingScalar(floating(promoted(args)))),
    /** A function of floating numbers: bools and integers become float32. */
    FLOAT("floating", args -> Typing.same(floating(promoted(args)))),
    /** As {@link #PROMOTE}; bools become int64, as in PyTorch, where the square is a power with a plain 2. */
    SQUARE("promoted, bool to int64", args -> Typing.same(promoted(args) == DType.BOOL ? DType.INT64 : promoted(args))),
    /** Compared, or tested for truth, in the promoted dtype; the result is bool. */
    TRUTH("bool", args -> new Typing(promoted(args), DType.BOOL)),
    /**
     * As {@link #PROMOTE}; a plain number that is zero in an integer's dtype is refused as divisor, as PyTorch refuses
     * it where there is anything to divide.
     */
    INTEGER_DIVIDE("promoted", args -> {}, (op, args) -> NumberRules.refuseZero(args), PROMOTE.typing),
    /**
     * As {@link #INTEGER_DIVIDE} in what is refused. For float16 the steps of the computation are those of float32
     * where the divisor is a single element, and else each rounded, as in PyTorch's CPU kernels.
     */
    FLOOR_DIVIDE(
            "promoted",
            args -> {},
            INTEGER_DIVIDE.numbers,
            args -> (args.get(1).shape().numel() == 1 ? MULTIPLY : PROMOTE).type(args)),
    /**
     * As {@link #PROMOTE}; a plain exponent that is negative for integers, or that the dtype cannot hold, is refused. To
     * float32 a plain number is an exponent of float64 precision, as in PyTorch.
     */
    POWER(
            "promoted",
            NumberRules::checkExponent,
            (op, args) -> NumberRules.checkPower(args),
            args -> args.get(1) instanceof Literal && promoted(args) == DType.FLOAT32
                    ? new Typing(DType.FLOAT64, DType.FLOAT32)
                    : Typing.same(promoted(args))),
    /** The dtype of the first, whose shape must expand to that of the second. */
    EXPAND(
            "that of the first",
            args -> ViewOps.expanded(args.get(0), args.get(1).shape().toArray()),
            args -> Typing.same(args.get(0).dtype())),
    /** A bool (or, as in PyTorch, uint8) condition, then two choices that promote. */
    WHERE(
            "promoted from the choices",
            TensorRules::checkCondition,
            (op, args) -> NumberRules.checkChoices(args.subList(1, 3)),
            args -> Typing.same(promoted(args.subList(1, 3)))),
    /** Held between bounds in the promoted dtype, which must be able to hold a plain bound; no plain bounds of bools. */
    CLAMP(
            "promoted",
            args -> {},
            (op, args) -> NumberRules.checkBounds(args, op.name() + "_scalar_cpu"),
            PROMOTE.typing),
    /** As {@link #PROMOTE} for the one argument; the parameters keep float32 precision beside a float16. */
    PARAMETRIC("promoted", args -> withNumbers(args, 1)),
    /** Both arguments must have one dtype, as in PyTorch; plain numbers take it. */
    SAME("that of both", TensorRules::checkSame, PROMOTE.typing),
    /**
     * As {@link #PROMOTE} for the three tensors; the factor is converted to their dtype, which must be able to hold it.
     */
    ADDCMUL("promoted", args -> withNumbers(args, 3)),
    /** As {@link #ADDCMUL}; a quotient of two integers is refused. */
    ADDCDIV("promoted", TensorRules::checkQuotient, ADDCMUL.typing),
    /** Tensors of one dtype, but that a zero-dim weight promotes; a plain weight keeps float32 precision. */
    LERP("that of input and end", TensorRules::checkLerp, TensorRules::lerp);

    private final String result;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state, as the two below
    private final Consumer<List<Expr>> check;

    @SuppressWarnings("ImmutableEnumChecker")
    private final BiConsumer<Op, List<Expr>> numbers;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<List<Expr>, Typing> typing;

    DTypeRule(String result, Function<List<Expr>, Typing> typing) {
        this(result, args -> {}, typing);
    }

    DTypeRule(String result, Consumer<List<Expr>> check, Function<List<Expr>, Typing> typing) {
        this(result, check, (op, args) -> {}, typing);
    }

    DTypeRule(
            String result,
            Consumer<List<Expr>> check,
            BiConsumer<Op, List<Expr>> numbers,
            Function<List<Expr>, Typing> typing) {
        this.result = result;
        this.check = check;
        this.numbers = numbers;
        this.typing = typing;
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
    public void check(List<Expr> args) {
        check.accept(args);
    }

    /** What PyTorch's kernels refuse of plain numbers, when everything else is in order. */
    public void checkNumbers(Op op, List<Expr> args) {
        numbers.accept(op, args);
    }

    /** The dtypes of the computation and of the result. */
    public Typing type(List<Expr> args) {
        return typing.apply(args);
    }

    /** The dtype that argument {@code index} is converted to before the template sees it. */
    public DType argumentType(int index, DType compute) {
        return this == WHERE && index == 0 ? DType.BOOL : compute;
    }

    /** As {@link #MULTIPLY} for the tensors, and the numbers behind them must fit that. */
    private static Typing withNumbers(List<Expr> args, int tensors) {
        Typing typing = keepingScalar(promoted(args.subList(0, tensors)));
        NumberRules.checkFits(args.subList(tensors, args.size()), typing.compute());
        return typing;
    }

    static DType promoted(List<Expr> args) {
        return Promotion.resultType(args.stream().map(Expr::term).toList());
    }

    private static DType floating(DType dtype) {
        return dtype.isFloatingPoint() ? dtype : DType.FLOAT32;
    }

    static Typing keepingScalar(DType result) {
        return new Typing(result.isReducedFloatingPoint() ? result.widened() : result, result);
    }
}
