package io.github.broadloom.codegen;

/**
 * The loops of a reduction over vectors of accumulators, {@code double[]} or {@code long[]}: {@link FoldRenderer} writes
 * them for one way of joining two accumulators. Stateless.
 */
public interface FoldLoops {

    /** {@code into[at + k] = into[at + k] ∘ other[from + k]} for {@code count} accumulators. */
    void combine(Object into, int at, Object other, int from, int count);

    /**
     * Combines neighbouring vectors of {@code width} accumulators: two become one, {@code pairs} times, written from
     * {@code at} on. {@code into} may be {@code values} itself where {@code at <= from}.
     */
    void foldPairs(Object values, int from, int pairs, int width, Object into, int at);

    /** As three times {@link #foldPairs}: eight become one, {@code groups} times. */
    void foldEights(Object values, int from, int groups, int width, Object into, int at);

    /**
     * Folds each of {@code segments} neighbouring runs of {@code count} vectors into one, as a stream of them is folded:
     * its aligned blocks by the dyadic tree, those from the left. {@code into} is not {@code values}.
     */
    void foldSegments(Object values, int from, int segments, int count, int width, Object into, int at);
}
