package io.github.broadloom.expr.fluent;

import io.github.broadloom.named.Coordinate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What operands with names have in common: all their dimensions, in the order in which they first come. */
final class NamedAlignment {
    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private final Map<String, Coordinate> coordinates = new LinkedHashMap<>();

    List<String> dims() {
        return List.copyOf(sizes.keySet());
    }

    Collection<Coordinate> coordinates() {
        return coordinates.values();
    }

    /** @throws IllegalArgumentException where a size or a coordinate contradicts that of an operand before */
    void add(NamedTensor<?> operand) {
        for (String dim : operand.dims()) {
            String cannot = "Cannot align dimension \"" + dim + "\": ";
            long size = operand.size(dim);
            Long known = sizes.putIfAbsent(dim, size);
            if (known != null && known != size) {
                String remedy = size == 1 || known == 1 ? "squeeze(\"" + dim + "\") the one" : "select what both have";
                throw new IllegalArgumentException(cannot + "its sizes are " + known + " and " + size + "; " + remedy);
            }
            Coordinate coordinate = operand.coordinates().get(dim);
            Coordinate other = coordinate == null ? null : coordinates.putIfAbsent(dim, coordinate);
            if (coordinate != null && other != null) {
                other.difference(coordinate).ifPresent(difference -> {
                    throw new IllegalArgumentException(cannot + "its coordinates differ, " + difference
                            + "; select what both have, or dropCoordinate(\"" + dim + "\") of one");
                });
            }
        }
    }
}
