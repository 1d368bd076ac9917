package io.github.broadloom.cpu.reduce;

/**
 * The loops of a reduction over vectors of accumulators, {@code double[]} or {@code long[]}: {@link FoldRenderer} writes
 * them for one way of joining two accumulators. Stateless.
 *
 * <p>Positions, counts and widths are in numbers: where an accumulator has several components they stand side by side,
 * and a width is a multiple of them. A <em>weight</em> is how many reduced values are in each accumulator; most ways of
 * joining do not ask for it.
 */
public interface FoldLoops {

    /** {@code into[at + k] = into[at + k] ∘ other[from + k]} for {@code count} numbers. */
    void combine(Object into, int at, Object other, int from, int count, double weight, double otherWeight);

    /**
     * Combines neighbouring vectors of {@code width} numbers: two become one, {@code pairs} times, written from
     * {@code at} on. {@code into} may be {@code values} itself where {@code at <= from}.
     */
    void foldPairs(Object values, int from, int pairs, int width, Object into, int at, double weight);

    /** As three times {@link #foldPairs}: eight become one, {@code groups} times. */
    void foldEights(Object values, int from, int groups, int width, Object into, int at, double weight);

    /**
     * Folds each of {@code segments} neighbouring runs of {@code count} vectors into one, as a stream of them is folded:
     * its aligned blocks by the pairwise tree, those from the left. {@code into} is not {@code values}.
     */
    void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at, double weight);
}
