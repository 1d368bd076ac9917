package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of the indices of a named dimension. A reduction has the groups in the place of the indices, {@code x.groupBy("time.month").mean()}; arithmetic is of each index with what a
 * tensor has for its group, {@code x.groupBy("time.month").sub(means)}, and keeps the dimensions of {@code x}.
 *
 * @param <T> the handle of what is grouped
 */
public final class NamedGroupBy<T extends TensorOps<T>> implements PointwiseOps<NamedTensor<T>> {
    private final NamedTensor<T> x;
    private final String dim;
    private final Coordinate labels;
    private final Coordinate groups;

    /** @param groups what labels there are groups for, in their order; a label that is none of them is of no group */
    NamedGroupBy(NamedTensor<T> x, String dim, Coordinate labels, Coordinate groups) {
        if (labels.size() != x.size(dim)) {
            throw new IllegalArgumentException("Cannot group dimension \"" + dim + "\": it has " + x.size(dim)
                    + " indices, and \"" + labels.name() + "\" " + labels.size() + " labels");
        }
        if (!labels.name().equals(dim) && x.dims().contains(labels.name())) {
            throw new IllegalArgumentException(
                    "Cannot group by \"" + labels.name() + "\": a dimension has that name; rename(...) it");
        }
        this.x = x;
        this.dim = dim;
        this.labels = labels;
        this.groups = groups;
    }

    private NamedTensor<T> grouped(T result) {
        List<Coordinate> coordinates =
                new ArrayList<>(x.dropCoordinate(dim).coordinates().values());
        coordinates.add(groups);
        return new NamedTensor<>(result, renamed(x.dims(), dim, groups.name()), coordinates);
    }

    private static List<String> renamed(List<String> dims, String from, String to) {
        return dims.stream().map(name -> name.equals(from) ? to : name).toList();
    }

    private GroupBy<T> positional() {
        return x.tensor().groupBy(Tensors.of(labels.placesIn(groups)), groups.size(), x.dim(dim));
    }

    /**
     * A reduction by its name.
     *
     * @param name as {@link GroupBy#reduce} takes it
     */
    public NamedTensor<T> reduce(String name) {
        return grouped(positional().reduce(name));
    }

    /** Of integers and bools in int64. */
    public NamedTensor<T> sum() {
        return reduce("sum");
    }

    /** How many indices each group has, int64. */
    public NamedTensor<T> count() {
        return reduce("count");
    }

    /** @throws IllegalArgumentException with PyTorch's text, for integers */
    public NamedTensor<T> mean() {
        return reduce("mean");
    }

    /** The mean of what is not NaN, which xarray's {@code mean} is. */
    public NamedTensor<T> nanmean() {
        return reduce("nanmean");
    }

    /** The variance with Bessel's correction. */
    public NamedTensor<T> var() {
        return reduce("var");
    }

    /** The root of {@link #var()}. */
    public NamedTensor<T> std() {
        return reduce("std");
    }

    public NamedTensor<T> min() {
        return reduce("min");
    }

    public NamedTensor<T> max() {
        return reduce("max");
    }

    /** The middle element, of two the lower one; NaN where there is one. */
    public NamedTensor<T> median() {
        return reduce("median");
    }

    /** The value of each group below which a part {@code q} lies. */
    public NamedTensor<T> quantile(double q) {
        return grouped(positional().quantile(q));
    }

    /**
     * An operation on each index.
     *
     * @param others as {@link NamedTensor#apply} takes them; those with a dimension of the groups' name are taken at the group of each index
     * @throws IllegalArgumentException as there, and where one has no coordinate for that dimension, or lacks a group
     */
    @Override
    public NamedTensor<T> apply(Op op, Object... others) {
        Object[] spread = Arrays.stream(others)
                .map(other ->
                        other instanceof NamedTensor<?> named && named.dims().contains(groups.name())
                                ? spread(named)
                                : other)
                .toArray();
        return x.apply(op, spread);
    }

    private <U extends TensorOps<U>> NamedTensor<U> spread(NamedTensor<U> ofGroups) {
        long[] places = labels.placesIn(ofGroups.coordinate(groups.name()));
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                throw new IllegalArgumentException("Cannot find group " + labels.label(i) + " of \"" + groups.name()
                        + "\", which index " + i + " of \"" + dim + "\" belongs to, in the other operand");
            }
        }
        int along = ofGroups.dim(groups.name());
        Shape lying = Shape.ones(ofGroups.dims().size()).with(along, places.length);
        U result = ofGroups.tensor().takeAlongDim(Tensors.of(places).view(lying.toArray()), along);
        return NamedTensor.of(result, renamed(ofGroups.dims(), groups.name(), dim))
                .withCoordinates(
                        ofGroups.dropCoordinate(groups.name()).coordinates().values());
    }
}
