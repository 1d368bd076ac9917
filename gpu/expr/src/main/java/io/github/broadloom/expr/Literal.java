package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion.Term;
import io.github.broadloom.dtype.Truncation;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.math.BigInteger;

/**
 * A plain number: it weighs least in promotion, and its value keeps full precision until the operation that uses it
 * converts it. Standing alone it is a zero-dim tensor of bool, int64 or float32, as {@code torch.tensor(value)} is.
 */
public final class Literal implements Expr.Leaf {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // Boolean, Long or Double
    private final Object value;

    private Literal(Object value) {
        this.value = value;
    }

    public static Literal of(Object value) {
        if (value instanceof Boolean || value instanceof Long || value instanceof Double) {
            return new Literal(value);
        }
        if (value instanceof BigInteger big) {
            return new Literal(exact(big));
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return new Literal(((Number) value).longValue());
        }
        if (value instanceof Number number) {
            return new Literal(number.doubleValue());
        }
        throw new IllegalArgumentException("Cannot use a literal: " + value + " is a "
                + value.getClass().getSimpleName() + "; give a Boolean or a Number");
    }

    private static long exact(BigInteger big) {
        if (big.bitLength() > 63) {
            throw new IllegalArgumentException("Overflow when unpacking long"); // PyTorch's words
        }
        return big.longValue();
    }

    /** A Boolean, a Long or a Double. */
    public Object value() {
        return value;
    }

    /**
     * The value after conversion to a dtype, as a tensor's cast converts it: a Boolean for bool, a Long for an integer
     * (wrapped to its width), a Double for a floating dtype (rounded to it).
     */
    public Object valueAs(DType dtype) {
        return switch (dtype.valueType()) {
            case BOOL -> value instanceof Double real ? Boolean.valueOf(real != 0) : Boolean.valueOf(longValue() != 0);
            case INT -> wrapped(dtype);
            case LONG -> longValue();
            case FLOAT ->
                (double) (dtype.isReducedFloatingPoint() ? dtype.reduced().round(floatValue()) : floatValue());
            case DOUBLE -> doubleValue();
        };
    }

    private long wrapped(DType narrow) {
        int unused = Long.SIZE - narrow.bytes() * Byte.SIZE;
        return narrow.isSigned() ? (long) intValue() << unused >> unused : longValue() << unused >>> unused;
    }

    public long longValue() {
        if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        }
        return value instanceof Double real ? Truncation.toInt64(real) : (Long) value;
    }

    private int intValue() {
        return value instanceof Double real ? Truncation.toInt32(real) : (int) longValue();
    }

    public double doubleValue() {
        return value instanceof Double real ? real : (double) longValue();
    }

    private float floatValue() {
        return value instanceof Double real ? real.floatValue() : (float) longValue();
    }

    @Override
    public DType dtype() {
        if (value instanceof Boolean) {
            return DType.BOOL;
        }
        return value instanceof Long ? DType.INT64 : DType.FLOAT32;
    }

    @Override
    public Device device() {
        return Device.CPU;
    }

    @Override
    public Shape shape() {
        return Shape.SCALAR;
    }

    @Override
    public Term term() {
        return Term.number(value);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.literal(this);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
