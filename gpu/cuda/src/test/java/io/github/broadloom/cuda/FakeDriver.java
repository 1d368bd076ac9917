package io.github.broadloom.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stand-in for {@code libcuda.so.1} ({@code fake-libcuda.cpp}) in this JVM, and what a test asks of it: that calls fail, how much
 * memory there is, what was called, what is outstanding.
 *
 * <p>It is loaded before JCuda, whose library then finds a {@code libcuda.so.1} in the process and looks for no other. Every JVM has a
 * folder of its own with a copy of the library and the file by which it is controlled. Another process that finds the library in
 * that folder ({@code LD_LIBRARY_PATH}) is controlled and seen, too: faults count the calls of all of them together.
 */
public final class FakeDriver {
    /** CUDA's numbers of errors that tests raise. */
    public static final int INVALID_VALUE = 1;

    public static final int OUT_OF_MEMORY = 2;
    /** A failure after which all is as before. */
    public static final int OPERATING_SYSTEM = 304;

    /** After these CUDA refuses all work of the process on the device. */
    public static final int ILLEGAL_ADDRESS = 700;

    public static final int UNKNOWN = 999;

    // Offsets in the struct Control of fake-libcuda.cpp.
    private static final int MEMORY_LIMIT = 0;
    private static final int DEVICES = 8;
    private static final int CAPABILITY = 16;
    private static final int DEFERRED = 24;
    private static final int FAULT_IN = 32;
    private static final int FAULT_ERROR = 40;
    private static final int FAULT_REPEAT = 48;
    private static final int FAULT_NAME = 56;
    private static final int FAULT_NAME_BYTES = 64;
    private static final int FAULTS_RAISED = 120;
    private static final int VIOLATIONS = 128;
    private static final int MESSAGE = 136;
    private static final int MESSAGE_BYTES = 504;
    private static final int LAUNCHED_THREADS = 640;
    private static final int MOST_WAITING = 648;
    private static final int FAULT_STAYS = 656;
    private static final int CALLS = 1024;
    private static final int CALL_BYTES = 64;
    private static final int CALL_NAME_BYTES = 56;
    private static final int PROCESSES = 5120;
    private static final int SIZE = 16384;

    /** Of the processes of this build. */
    private static final Path DRIVERS =
            Path.of("target/fake-cuda").toAbsolutePath().normalize();

    private static @Nullable FakeDriver loaded;

    private final Path folder;
    private final MappedByteBuffer control;
    private final DriverProcesses processes;

    private FakeDriver(Path folder) throws IOException {
        this.folder = folder;
        try (FileChannel file = FileChannel.open(
                folder.resolve("control"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            this.control = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            control.order(ByteOrder.LITTLE_ENDIAN);
        }
        this.processes =
                new DriverProcesses(control.slice(PROCESSES, SIZE - PROCESSES).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Why there can be none here: one sentence; empty where there can. */
    public static Optional<String> missing() {
        return HostBuild.missing();
    }

    /** Builds and loads the driver when it is first called, which must be before any class of JCuda is used. */
    public static synchronized FakeDriver load() {
        if (loaded == null) {
            FakeDriver driver = place();
            System.load(driver.folder.resolve("libcuda.so.1").toString());
            loaded = driver;
        }
        return loaded;
    }

    /** A driver in a folder of its own, for other processes; this one does not load it. */
    public static FakeDriver place() {
        try {
            Path built = HostBuild.sharedObject(
                    HostBuild.resource("fake-libcuda.cpp"), List.of("-O1", "-Wl,-soname,libcuda.so.1"));
            Files.createDirectories(DRIVERS);
            deleteThoseOfDeadProcesses();
            Path folder = Files.createTempDirectory(
                    DRIVERS, "driver-" + ProcessHandle.current().pid() + "-");
            Files.copy(built, folder.resolve("libcuda.so.1"));
            return new FakeDriver(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Other processes may delete the same ones at the same time. */
    private static void deleteThoseOfDeadProcesses() throws IOException {
        try (Stream<Path> folders = Files.list(DRIVERS)) {
            for (Path folder : folders.filter(Files::isDirectory).toList()) {
                String[] name = folder.getFileName().toString().split("-");
                if (name.length == 3
                        && name[0].equals("driver")
                        && ProcessHandle.of(Long.parseLong(name[1])).isEmpty()) {
                    delete(folder);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (NoSuchFileException | UncheckedIOException gone) {
            // another process was faster
            return;
        }
    }

    /** Where the library lies; on the {@code LD_LIBRARY_PATH} of another process it is that process's driver. */
    public Path folder() {
        return folder;
    }

    /** As at the start, but for what is outstanding: one device of 1 GiB and compute capability 9.0, no faults, nothing counted. */
    public void reset() {
        for (int offset = 0; offset < CALLS; offset += Long.BYTES) {
            control.putLong(offset, 0);
        }
        for (int row = CALLS; row < PROCESSES; row += CALL_BYTES) {
            control.putLong(row + CALL_NAME_BYTES, 0);
        }
    }

    /** How much memory each device has. */
    public void memoryLimit(long bytes) {
        control.putLong(MEMORY_LIMIT, bytes);
    }

    /** How many devices there are, up to 4; 0 for none. Read when the driver is asked. */
    public void devices(int count) {
        control.putLong(DEVICES, count == 0 ? -1 : count);
    }

    /** The compute capability, as 90 for 9.0. */
    public void capability(int tenTimes) {
        control.putLong(CAPABILITY, tenTimes);
    }

    /** What is put into a stream runs when somebody waits for it, and streams run in the order in which they are waited for. */
    public void deferWork() {
        control.putLong(DEFERRED, 1);
    }

    /** Makes the n-th call from now fail, counted from 1, whichever it is. */
    public void failCall(long n, int error) {
        failCall("", n, error);
    }

    /** Makes the n-th call of a name from now fail: {@code failCall("cuMemAlloc", 1, OUT_OF_MEMORY)}. */
    public void failCall(String name, long n, int error) {
        failCalls(name, n, 1, error);
    }

    /** Makes calls of a name fail, from the n-th from now, so many in a row. */
    public void failCalls(String name, long n, long inARow, int error) {
        control.putLong(FAULT_IN, 0);
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < FAULT_NAME_BYTES; i++) {
            control.put(FAULT_NAME + i, i < text.length ? text[i] : 0);
        }
        control.putLong(FAULT_ERROR, error);
        control.putLong(FAULT_REPEAT, inARow);
        control.putLong(FAULTS_RAISED, 0);
        control.putLong(FAULT_IN, n);
    }

    /** Makes the n-th call of a name from now fail, and every call after it of that process on that device, until {@link #failNothing}: as after the fault of a kernel. */
    public void failForGood(String name, long n, int error) {
        failCall(name, n, error);
        control.putLong(FAULT_STAYS, 1);
    }

    /** No call fails any more. */
    public void failNothing() {
        control.putLong(FAULT_STAYS, 0);
        control.putLong(FAULT_IN, 0);
    }

    /** How many calls were made to fail since a fault was last asked for. */
    public long faultsRaised() {
        return control.getLong(FAULTS_RAISED);
    }

    /** How many calls of a name there were since {@link #reset}, in all processes. */
    public long calls(String name) {
        return calls().getOrDefault(name, 0L);
    }

    /** How many calls there were since {@link #reset}, by name. */
    public Map<String, Long> calls() {
        Map<String, Long> counts = new TreeMap<>();
        for (int row = CALLS; row < PROCESSES; row += CALL_BYTES) {
            String name = text(row, CALL_NAME_BYTES);
            long count = control.getLong(row + CALL_NAME_BYTES);
            if (count != 0) {
                counts.put(name, count);
            }
        }
        return counts;
    }

    /** How many threads kernels ran on since {@link #reset}. */
    public long launchedThreads() {
        return control.getLong(LAUNCHED_THREADS);
    }

    /** The most kernels since {@link #reset} that were in streams at a time and had not run: with {@link #deferWork}, those that nobody has waited for. */
    public long mostKernelsWaiting() {
        return control.getLong(MOST_WAITING);
    }

    /** How often the driver was misused since {@link #reset}: {@link #message} tells of the latest. */
    public long violations() {
        return control.getLong(VIOLATIONS);
    }

    /** The latest misuse, or the latest fault of a kernel: what, and where. */
    public String message() {
        return text(MESSAGE, MESSAGE_BYTES);
    }

    /** What this process holds. */
    public Outstanding outstanding() {
        return outstandingOf(ProcessHandle.current().pid());
    }

    /** What another process holds; nothing when it has not used the driver. */
    public Outstanding outstandingOf(long pid) {
        return processes.outstanding(pid);
    }

    /** What the living processes hold, by process. */
    public Map<Long, Outstanding> outstandingByProcess() {
        return processes.outstanding();
    }

    /** How many kernels a process has run on each device since it started. */
    public List<Long> launchesByDevice(long pid) {
        return processes.launchesByDevice(pid);
    }

    /** The bytes that a process has copied to devices since it started. */
    public long uploadedBytes(long pid) {
        return processes.uploadedBytes(pid);
    }

    private String text(int offset, int length) {
        byte[] bytes = new byte[length];
        ByteBuffer view = control.duplicate();
        view.position(offset);
        view.get(bytes);
        String text = new String(bytes, StandardCharsets.US_ASCII);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    /**
     * What a process has of a driver.
     *
     * @param bytes device memory
     * @param allocations pieces of device memory
     * @param pinned pieces of pinned host memory
     */
    public record Outstanding(
            long bytes, long allocations, long pinned, long streams, long events, long modules, long contexts) {
        /** Of a process that gave everything back. */
        public static final Outstanding NOTHING = new Outstanding(0, 0, 0, 0, 0, 0, 0);
    }
}
