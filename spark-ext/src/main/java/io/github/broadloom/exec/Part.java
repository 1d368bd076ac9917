package io.github.broadloom.exec;

import java.io.Serializable;

/** What a task has written: a file with some rows of a tensor, or its place in one. */
public final class Part implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final long rows;
    private final long bytes;
    private final int crc32c;

    /** @param crc32c of its bytes */
    Part(String name, long rows, long bytes, int crc32c) {
        this.name = name;
        this.rows = rows;
        this.bytes = bytes;
        this.crc32c = crc32c;
    }

    String name() {
        return name;
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    int crc32c() {
        return crc32c;
    }
}
