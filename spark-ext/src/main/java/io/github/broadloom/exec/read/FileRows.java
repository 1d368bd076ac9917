package io.github.broadloom.exec.read;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Which rows of a tensor lie in which of several files that follow each other.
 *
 * @param bounds the first row of each file, and the end of the last
 */
record FileRows(long[] bounds) implements Serializable {
    static FileRows of(long[] counts) {
        long[] bounds = new long[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            bounds[i + 1] = Math.addExact(bounds[i], counts[i]);
        }
        return new FileRows(bounds);
    }

    /** The first file that ends behind a row; the last file where none does. */
    int first(long row) {
        int low = 0;
        int high = bounds.length - 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[middle + 1] > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Behind the last file that has a row before {@code end}, and behind {@code first}. */
    int end(int first, long end) {
        int file = first + 1;
        while (file < bounds.length - 1 && bounds[file] < end) {
            file++;
        }
        return file;
    }

    FileRows range(int from, int to) {
        return new FileRows(Arrays.copyOfRange(bounds, from, to + 1));
    }
}
