package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Neighbours along dimensions: edges that are added, and windows that move. */
public final class Windows {
    private Windows() {}

    /** What stands behind the edges of a tensor. */
    public enum Padding {
        /** A number. */
        CONSTANT,
        /** What stands before the edge, in the reverse order, without the edge itself. */
        REFLECT,
        /** The edge. */
        REPLICATE,
        /** What stands at the other end. */
        CIRCULAR;

        /** @throws IllegalArgumentException for anything but PyTorch's names */
        public static Padding of(String mode) {
            for (Padding padding : values()) {
                if (padding.name().toLowerCase(Locale.ROOT).equals(mode)) {
                    return padding;
                }
            }
            throw new IllegalArgumentException("Unrecognised padding mode " + mode);
        }
    }

    /**
     * With more indices at the ends of dimensions. Indices that are less than none are left out.
     *
     * @param pads how many before and behind, of the last dimension first, as PyTorch's {@code pad} has them; unlike there, every mode takes any dimensions
     * @param value of a constant padding, in the dtype of {@code x}
     * @throws IllegalArgumentException with PyTorch's text, for an odd number of pads, more than there are dimensions, and more than another mode can take from
     */
    public static Expr pad(Expr x, long[] pads, Padding mode, Object value) {
        ProductErrors.require(pads.length % 2 == 0, "Padding length must be divisible by 2");
        ProductErrors.require(
                pads.length <= 2 * x.shape().rank(),
                "Padding length should be less than or equal to two times the input dimension but got padding length "
                        + pads.length + " and input of dimension " + x.shape().rank());
        Expr padded = x;
        for (int i = 0; 2 * i < pads.length; i++) {
            padded = pad(padded, x.shape().rank() - 1 - i, pads[2 * i], pads[2 * i + 1], mode, value);
        }
        return padded;
    }

    private static Expr pad(Expr x, int dim, long before, long behind, Padding mode, Object value) {
        long size = x.shape().size(dim);
        ProductErrors.require(
                size + before + behind >= 0,
                "The input size " + size + ", plus negative padding " + before + " and " + behind
                        + " resulted in a negative output size, which is invalid. Check dimension " + dim
                        + " of your input.");
        long start = Math.max(0, -before);
        Expr kept = ViewOps.narrow(x, dim, Math.min(size, start), Math.max(0, size - start - Math.max(0, -behind)));
        List<Expr> parts = new ArrayList<>();
        if (before > 0) {
            parts.add(edge(x, dim, before, mode, true, value));
        }
        parts.add(kept);
        if (behind > 0) {
            parts.add(edge(x, dim, behind, mode, false, value));
        }
        return parts.size() == 1 ? kept : Expr.concat(parts, dim);
    }

    private static Expr edge(Expr x, int dim, long count, Padding mode, boolean leads, Object value) {
        Shape shape = x.shape().with(dim, count);
        long size = x.shape().size(dim);
        switch (mode) {
            case CONSTANT -> {
                Expr number =
                        Input.beside(x, Tensors.scalar(x.dtype() == DType.BOOL ? truth(value) : value, x.dtype()));
                return Expr.expand(number, shape.toArray());
            }
            case REPLICATE -> {
                ProductErrors.require(size > 0, "Expected non-empty tensor to replicate, got " + x.shape());
                return Expr.expand(ViewOps.narrow(x, dim, leads ? 0 : size - 1, 1), shape.toArray());
            }
            case REFLECT -> {
                ProductErrors.require(
                        count < size,
                        "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding ("
                                + (leads ? count + ", 0" : "0, " + count) + ") at dimension " + dim + " of input "
                                + x.shape());
                return ViewOps.flip(ViewOps.narrow(x, dim, leads ? 1 : size - 1 - count, count), dim);
            }
            default -> {
                ProductErrors.require(count <= size, "Padding value causes wrapping around more than once.");
                return ViewOps.narrow(x, dim, leads ? size - count : 0, count);
            }
        }
    }

    private static Object truth(Object value) {
        return value instanceof Number number ? (Object) (number.doubleValue() != 0) : value;
    }

    /**
     * A reduction of the {@code size} values up to each along a dimension; NaN where there are fewer before, as in pandas and xarray.
     *
     * @param name {@code sum}, {@code mean}, {@code min}, {@code max}, {@code var} or {@code std}
     * @throws IllegalArgumentException for any other name, integers, and a window of less than one index
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public static Expr rolling(Expr x, int dim, long size, String name) {
        int along = x.shape().normalizeDim(dim);
        ProductErrors.require(
                x.dtype().isFloatingPoint(),
                "Cannot roll over " + x.dtype()
                        + ": where a window is not full the result is NaN; cast it with to(...)");
        ProductErrors.require(size > 0, "Cannot roll windows of " + size + " indices: give 1 at least");
        long length = x.shape().rank() == 0 ? 0 : x.shape().size(along);
        Reduction reduction = switch (name) {
            case "sum" -> Reduction.SUM;
            case "mean" -> Reduction.MEAN;
            case "min", "amin" -> Reduction.AMIN;
            case "max", "amax" -> Reduction.AMAX;
            case "var" -> Reduction.VAR;
            case "std" -> Reduction.STD;
            default ->
                throw new IllegalArgumentException(
                        "Cannot roll '" + name + "'; there are sum, mean, min, max, var, std");
        };
        Expr nothing = Expr.expand(
                Input.beside(x, Tensors.scalar(Double.NaN, x.dtype())),
                x.shape().with(along, Math.min(length, size - 1)).toArray());
        if (size > length) {
            return nothing;
        }
        Expr windows = ViewOps.unfold(x, along, size, 1);
        Expr full = Expr.reduce(reduction, windows, 1, KeepDim.DROP, -1);
        return size == 1 ? full : Expr.concat(List.of(nothing, full), along);
    }
}
