package io.github.broadloom.dtype;

import io.github.broadloom.dtype.DType.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's type promotion: the category decides first (bool, integer, floating), then dimensioned tensors count over
 * zero-dim tensors over plain numbers. The rule is that of {@code torch.result_type} and of the published "tensor
 * attributes" notes.
 */
public final class Promotion {
    /** The dtype that a plain floating number takes where nothing else says: PyTorch's default dtype. */
    public static final DType DEFAULT_FLOATING = DType.FLOAT32;

    private Promotion() {}

    /** One participant: its dtype and how much its dtype weighs. */
    public record Term(DType dtype, Level level) {
        /** How much a dtype weighs, from low to high. */
        public enum Level {
            NUMBER,
            ZERO_DIM,
            DIMENSIONED
        }

        public static Term tensor(DType dtype, int rank) {
            return new Term(dtype, rank == 0 ? Level.ZERO_DIM : Level.DIMENSIONED);
        }

        /**
         * The term of a plain number: Boolean, an integer up to Long, Float or Double.
         *
         * @throws IllegalArgumentException for anything else
         */
        public static Term number(Object value) {
            return new Term(dtypeOfNumber(value), Level.NUMBER);
        }
    }

    /** The smallest dtype that both promote to, as {@code torch.promote_types}. */
    public static DType promoteTypes(DType a, DType b) {
        if (a == b) {
            return a;
        }
        if (a.kind() != b.kind()) {
            return a.kind().compareTo(b.kind()) > 0 ? a : b;
        }
        if (a.holds(b) || b.holds(a)) {
            return a.holds(b) ? a : b;
        }
        return Arrays.stream(DType.values())
                .filter(wider -> wider.kind() == a.kind() && wider.holds(a) && wider.holds(b))
                .min(Comparator.comparing(DType::bytes))
                .orElseThrow();
    }

    /** Whether a result of one dtype may be stored in another: the category may not go down ({@code torch.can_cast}). */
    public static boolean canCast(DType from, DType to) {
        return from.kind().compareTo(to.kind()) <= 0;
    }

    /**
     * The dtype of an operation over these terms, as {@code torch.result_type}.
     *
     * @throws IllegalArgumentException where there is no term
     */
    public static DType resultType(List<Term> terms) {
        DType numbers = null;
        DType zeroDim = null;
        DType dimensioned = null;
        for (Term term : terms) {
            switch (term.level()) {
                case NUMBER ->
                    numbers = join(numbers, term.dtype().isFloatingPoint() ? DEFAULT_FLOATING : term.dtype());
                case ZERO_DIM -> zeroDim = join(zeroDim, term.dtype());
                case DIMENSIONED -> dimensioned = join(dimensioned, term.dtype());
            }
        }
        DType result = combine(dimensioned, combine(zeroDim, numbers));
        if (result == null) {
            throw new IllegalArgumentException("result_type requires at least one argument");
        }
        return result;
    }

    /**
     * The dtype of an operation over tensors, handles, expressions and plain numbers, as {@code torch.result_type}: {@code
     * resultType(tensor, 2.5)}.
     *
     * @throws IllegalArgumentException where there is no operand, or one is none of these
     */
    public static DType resultType(Object... operands) {
        return resultType(Arrays.stream(operands)
                .map(operand -> operand instanceof Typed typed ? typed.term() : Term.number(operand))
                .toList());
    }

    /** The dtype of a plain number: bool, int64 or float64. */
    static DType dtypeOfNumber(Object value) {
        if (value instanceof Boolean) {
            return DType.BOOL;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return DType.INT64;
        }
        if (value instanceof Double || value instanceof Float) {
            return DType.FLOAT64;
        }
        throw new IllegalArgumentException("Cannot use a number: " + value + " is a "
                + value.getClass().getSimpleName() + "; use a Boolean, a Long or a Double");
    }

    private static @Nullable DType join(@Nullable DType a, @Nullable DType b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return promoteTypes(a, b);
    }

    /** The lower level is heard only where its category is higher. */
    private static @Nullable DType combine(@Nullable DType higher, @Nullable DType lower) {
        if (higher == null || higher.kind() == Kind.FLOATING) {
            return higher == null ? lower : higher;
        }
        if (lower == null || lower.kind().compareTo(higher.kind()) <= 0) {
            return higher;
        }
        return promoteTypes(higher, lower);
    }
}
