package io.github.broadloom.cuda;

import io.github.broadloom.cuda.FakeDriver.Outstanding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What each process did with a {@link FakeDriver}, and what it holds: the rows of the struct Process of fake-libcuda.cpp. */
final class DriverProcesses {
    // Offsets in a row.
    private static final int PID = 0;
    private static final int ALLOCATIONS = 8;
    private static final int PINNED = 16;
    private static final int STREAMS = 24;
    private static final int EVENTS = 32;
    private static final int MODULES = 40;
    private static final int CONTEXTS = 48;
    private static final int BYTES_ON = 96;
    private static final int LAUNCHES_ON = 128;
    private static final int UPLOADED = 160;
    private static final int ROW_BYTES = 256;
    private static final int COUNT = 32;

    private static final int MAX_DEVICES = 4;

    private final ByteBuffer rows;

    /** @param rows the memory that the processes share */
    DriverProcesses(ByteBuffer rows) {
        this.rows = rows;
    }

    /** What a process holds; nothing when it has not used the driver. */
    Outstanding outstanding(long pid) {
        OptionalInt row = row(pid);
        return row.isPresent() ? outstandingAt(row.getAsInt()) : Outstanding.NOTHING;
    }

    /** What the living processes hold, by process. */
    Map<Long, Outstanding> outstanding() {
        Map<Long, Outstanding> all = new TreeMap<>();
        rows().filter(row -> rows.getLong(row + PID) != 0)
                .filter(row -> ProcessHandle.of(rows.getLong(row + PID)).isPresent())
                .forEach(row -> all.put(rows.getLong(row + PID), outstandingAt(row)));
        return all;
    }

    /** How many kernels a process has run on each device since it started. */
    List<Long> launchesByDevice(long pid) {
        List<Long> launches = new ArrayList<>();
        for (int device = 0; device < MAX_DEVICES; device++) {
            launches.add(count(pid, LAUNCHES_ON + device * Long.BYTES));
        }
        return launches;
    }

    /** The bytes that a process has copied to devices since it started. */
    long uploadedBytes(long pid) {
        return count(pid, UPLOADED);
    }

    private long count(long pid, int offset) {
        OptionalInt row = row(pid);
        return row.isPresent() ? rows.getLong(row.getAsInt() + offset) : 0;
    }

    private OptionalInt row(long pid) {
        return rows().filter(row -> rows.getLong(row + PID) == pid).findFirst();
    }

    private static IntStream rows() {
        return IntStream.range(0, COUNT).map(i -> i * ROW_BYTES);
    }

    private Outstanding outstandingAt(int row) {
        long bytes = 0;
        for (int device = 0; device < MAX_DEVICES; device++) {
            bytes += rows.getLong(row + BYTES_ON + device * Long.BYTES);
        }
        return new Outstanding(
                bytes,
                rows.getLong(row + ALLOCATIONS),
                rows.getLong(row + PINNED),
                rows.getLong(row + STREAMS),
                rows.getLong(row + EVENTS),
                rows.getLong(row + MODULES),
                rows.getLong(row + CONTEXTS));
    }
}
