package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.Order;
import java.io.Serializable;
import java.util.Locale;

/**
 * What {@link Along} does to each line of values.
 *
 * @param number which quantile, from 0 to 1; the k of top-k and of a k-th value; of a nuclear norm, how many columns its matrix has; 0 of others
 * @param interpolation of a quantile
 * @param order of what comes sorted
 */
public record LineOp(Kind kind, double number, Interpolation interpolation, Order order) implements Serializable {
    /** Where a few values are looked for among many, so many more are kept until they are sorted. */
    private static final int FEWEST_SPARE = 128;

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
        /** All values in order. */
        SORT,
        /** Where each of them stood: of equal ones the first first. */
        SORT_INDICES,
        /** The k first ones of all values in order. */
        TOPK,
        /** Where each of them stood: of equal ones the first first. */
        TOPK_INDICES,
        /** The k-th of all values in order. */
        KTHVALUE,
        /** Where it stood: of equal ones the first counts first. */
        KTHVALUE_INDICES,
        /** The sum of the singular values of a matrix, whose rows follow each other in the line. */
        NUCLEAR_NORM;

        /** Whether there is a result for every value, and not one for the line. */
        public boolean isScan() {
            return ordinal() <= CUMMIN_INDICES.ordinal();
        }

        /** Whether it puts values in order, and gives all of them, or those of some ranks, which {@link LineOp#number()} says. */
        public boolean isRanked() {
            return isSort() || isTopK() || this == KTHVALUE || this == KTHVALUE_INDICES;
        }

        /** Whether it gives all values in order. */
        public boolean isSort() {
            return this == SORT || this == SORT_INDICES;
        }

        private boolean isTopK() {
            return this == TOPK || this == TOPK_INDICES;
        }

        /** Whether the results are places along the line. */
        public boolean isIndices() {
            return name().endsWith("_INDICES");
        }

        /** Whether it is a median, or where one stands. */
        public boolean isMedian() {
            return name().contains("MEDIAN");
        }

        /** Whether it is a quantile, which {@link LineOp#number()} says. */
        public boolean isQuantile() {
            return this == QUANTILE || this == NANQUANTILE;
        }
    }

    /** Anything that takes no number. */
    public static LineOp of(Kind kind) {
        return new LineOp(kind, 0, Interpolation.LINEAR, Order.ASCENDING);
    }

    /** A quantile. */
    public static LineOp quantile(Kind kind, double q, Interpolation interpolation) {
        return new LineOp(kind, q, interpolation, Order.ASCENDING);
    }

    /**
     * What gives values in order.
     *
     * @param k how many of them, or which; 0 for all
     */
    public static LineOp ranked(Kind kind, long k, Order order) {
        return new LineOp(kind, k, Interpolation.LINEAR, order);
    }

    /** Whether the results of a line stand along its dimension; else there is one, and the dimension goes away, or stays with size one. */
    public boolean leavesLine() {
        return kind.isScan() || kind.isSort() || kind.isTopK();
    }

    /** How many results a line of so many values has. */
    public long results(long values) {
        if (kind.isTopK()) {
            return Math.min(k(), values); // a chunk may have fewer
        }
        return leavesLine() ? values : 1;
    }

    /** How many of the values in order are looked for, in a line of so many: those up to the last that is a result. */
    public long ranks(long values) {
        return kind.isSort() ? values : Math.min(k(), values);
    }

    /** How many values of a line of so many are sorted at a time where it is {@linkplain Kind#isRanked ranked}. */
    public long sortedAtATime(long values) {
        long ranks = ranks(values);
        return Math.min(values, ranks + Math.max(ranks, FEWEST_SPARE));
    }

    /** The order that PyTorch means where none is named. */
    public Order usualOrder() {
        return kind.isTopK() ? Order.DESCENDING : Order.ASCENDING;
    }

    /** The k of top-k and of a k-th value. */
    public long k() {
        return (long) number;
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
