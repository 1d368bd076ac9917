package io.github.broadloom.zarr;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How the files of chunks are called, below their array.
 *
 * @param prefix before the numbers: {@code c} in version 3, nothing in version 2
 * @param separator between them, a slash or a dot
 */
record ChunkNames(String prefix, String separator) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The name of the chunk at that place in the grid of chunks. */
    String of(long[] index) {
        String numbers = Arrays.stream(index).mapToObj(Long::toString).collect(Collectors.joining(separator));
        if (prefix.isEmpty()) {
            return index.length == 0 ? "0" : numbers;
        }
        return index.length == 0 ? prefix : prefix + separator + numbers;
    }
}
