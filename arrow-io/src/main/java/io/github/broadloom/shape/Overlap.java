package io.github.broadloom.shape;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Whether places in memory are shared: by two indices of one layout, or by the elements of two layouts over one storage.
 * Exact answers would mean solving a bounded linear Diophantine equation, which is NP-hard; the answers here are sound and
 * cheap: "apart" is always true, "not apart" may be too cautious.
 */
public final class Overlap {
    private Overlap() {}

    /**
     * Refuses a target of which two indices mean the same element, by PyTorch's test: it sees an expanded dimension, and
     * lets others pass that it cannot cheaply see.
     *
     * @throws IllegalArgumentException with PyTorch's text
     */
    public static void requireDistinctElements(Layout written) {
        Shape shape = written.shape();
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.numel() > 0 && shape.size(dim) > 1 && written.stride(dim) == 0) {
                throw new IllegalArgumentException(
                        "unsupported operation: more than one element of the written-to tensor"
                                + " refers to a single memory location. Please clone() the tensor before performing the"
                                + " operation.");
            }
        }
    }

    /** True only where no element belongs to both layouts, counted over one storage in elements of one width. */
    public static boolean areApart(Layout a, Layout b) {
        if (a.shape().numel() == 0 || b.shape().numel() == 0) {
            return true;
        }
        return areApart(Progression.of(a), Progression.of(b));
    }

    private static boolean areApart(Progression a, Progression b) {
        if (a.last() < b.first() || b.last() < a.first()) {
            return true;
        }
        if (residuesDiffer(a, b, gcd(a.strideGcd(), b.strideGcd()))) {
            return true;
        }
        long[] candidates = {a.widestStride(), b.widestStride()};
        for (long modulus : candidates) {
            if (modulus > 1 && (residuesDiffer(a, b, modulus) || splitApart(a, b, modulus))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the places of the two, taken modulo {@code modulus}, lie in two arcs of that circle that do not meet. */
    private static boolean residuesDiffer(Progression a, Progression b, long modulus) {
        if (modulus <= 1) {
            return false;
        }
        long reachA = a.inside(modulus).reach();
        long reachB = b.inside(modulus).reach();
        long fromAToB = Math.floorMod(b.first() - a.first(), modulus);
        // B begins after A's arc has ended, and ends before A's arc begins again.
        return reachA < fromAToB && reachB < modulus - fromAToB;
    }

    /**
     * Where neither crosses a multiple of {@code modulus}, a place is a quotient and a remainder, as a row and a column
     * are; the two share no place if they share no row, or no column.
     */
    private static boolean splitApart(Progression a, Progression b, long modulus) {
        Progression columnsA = a.inside(modulus);
        Progression columnsB = b.inside(modulus);
        if (columnsA.last() >= modulus || columnsB.last() >= modulus) {
            return false;
        }
        boolean smaller = columnsA.strides.length < a.strides.length || columnsB.strides.length < b.strides.length;
        return smaller && areApart(columnsA, columnsB) || areApart(a.across(modulus), b.across(modulus));
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** The places {@code first + sum of i * stride}, with {@code 0 <= i <= steps} and a positive stride for each loop. */
    private record Progression(long first, long[] steps, long[] strides) {

        static Progression of(Layout layout) {
            int[] dims = IntStream.range(0, layout.rank())
                    .filter(dim -> layout.shape().size(dim) > 1 && layout.stride(dim) > 0)
                    .toArray();
            return new Progression(
                    layout.offset(),
                    Arrays.stream(dims)
                            .mapToLong(dim -> layout.shape().size(dim) - 1)
                            .toArray(),
                    Arrays.stream(dims).mapToLong(layout::stride).toArray());
        }

        long reach() {
            long reach = 0;
            for (int i = 0; i < steps.length; i++) {
                reach += steps[i] * strides[i];
            }
            return reach;
        }

        long last() {
            return first + reach();
        }

        long strideGcd() {
            return Arrays.stream(strides).reduce(0, Overlap::gcd);
        }

        long widestStride() {
            return Arrays.stream(strides).max().orElse(0);
        }

        /** The loops that step inside {@code modulus}: those whose stride is no multiple of it. */
        Progression inside(long modulus) {
            return kept(first % modulus, modulus, false);
        }

        /** The loops whose stride is a multiple of {@code modulus}, counted in multiples of it. */
        Progression across(long modulus) {
            Progression kept = kept(first / modulus, modulus, true);
            return new Progression(
                    kept.first,
                    kept.steps,
                    Arrays.stream(kept.strides).map(stride -> stride / modulus).toArray());
        }

        private Progression kept(long from, long modulus, boolean multiples) {
            int[] loops = IntStream.range(0, strides.length)
                    .filter(i -> (strides[i] % modulus == 0) == multiples)
                    .toArray();
            return new Progression(
                    from,
                    Arrays.stream(loops).mapToLong(i -> steps[i]).toArray(),
                    Arrays.stream(loops).mapToLong(i -> strides[i]).toArray());
        }
    }
}
