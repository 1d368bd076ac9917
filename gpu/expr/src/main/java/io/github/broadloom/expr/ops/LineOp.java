package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Interpolation;
import java.io.Serializable;
import java.util.Locale;

/**
 * What {@link Along} does to each line of values.
 *
 * @param number which quantile, from 0 to 1; of a nuclear norm, how many columns its matrix has; 0 of others
 * @param interpolation of a quantile
 */
public record LineOp(Kind kind, double number, Interpolation interpolation) implements Serializable {

    public enum Kind {
        /** The sums of the values up to each, in int64 or a floating dtype. */
        CUMSUM,
        /** The products of the values up to each, in int64 or a floating dtype. */
        CUMPROD,
        /** The greatest value up to each, or NaN after one. */
        CUMMAX,
        /** Where that value is: the last of equal ones. */
        CUMMAX_INDICES,
        /** The smallest value up to each, or NaN after one. */
        CUMMIN,
        /** Where that value is: the last of equal ones. */
        CUMMIN_INDICES,
        /** The middle value, of two the lower one; NaN where there is one. */
        MEDIAN,
        /** Where the middle value is: the first of equal ones. */
        MEDIAN_INDICES,
        /** The middle one of the values that are not NaN. */
        NANMEDIAN,
        /** Where that value is: the first of equal ones. */
        NANMEDIAN_INDICES,
        /** The value below which a part of them lies; NaN where there is one. */
        QUANTILE,
        /** The quantile of the values that are not NaN. */
        NANQUANTILE,
        /** The sum of the singular values of a matrix, whose rows follow each other in the line. */
        NUCLEAR_NORM;

        /** Whether there is a result for every value, and not one for the line. */
        public boolean isScan() {
            return ordinal() <= CUMMIN_INDICES.ordinal();
        }

        /** Whether the results are places along the line. */
        public boolean isIndices() {
            return name().endsWith("_INDICES");
        }

        /** Whether it is a quantile, which {@link LineOp#number()} says. */
        public boolean isQuantile() {
            return this == QUANTILE || this == NANQUANTILE;
        }
    }

    /** Anything that takes no number. */
    public static LineOp of(Kind kind) {
        return new LineOp(kind, 0, Interpolation.LINEAR);
    }

    /**
     * How a scan joins neighbouring parts of a line. The parts of an extreme are values beside their places.
     *
     * @throws IllegalStateException for anything but a scan
     */
    public Join join() {
        return switch (kind) {
            case CUMSUM -> Join.SUM;
            case CUMPROD -> Join.PRODUCT;
            case CUMMAX, CUMMAX_INDICES -> Join.LAST_MAX;
            case CUMMIN, CUMMIN_INDICES -> Join.LAST_MIN;
            default -> throw new IllegalStateException("Cannot join parts of lines: " + this + " needs whole ones");
        };
    }

    /** The dtype of the results. */
    public DType resultType(DType operand) {
        return kind.isIndices() ? DType.INT64 : operand;
    }

    /** PyTorch's name; indices have that of the function that gives them. */
    public String torchName() {
        return kind.name().toLowerCase(Locale.ROOT).replace("_indices", "").replace("nuclear_", "");
    }

    @Override
    public String toString() {
        return torchName() + (kind.isIndices() ? " indices" : kind.isQuantile() ? " " + number : "");
    }
}
