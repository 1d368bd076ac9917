package io.github.broadloom.io;

import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Maps files copy-on-write, so that no write can reach the file, nor hit a read-only page and end the JVM.
 *
 * <p>A {@link java.nio.MappedByteBuffer} shows less than 2 GiB. Beyond that Java 22 offers a {@code MemorySegment}, found
 * by reflection because this code compiles for 17; on 17 itself the channel's own native method is called, which
 * {@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED} (among Spark's flags) permits. Between the two there is no way.
 */
final class FileMapping {
    private static final Cleaner CLEANER = Cleaner.create();
    /** {@code MAP_PV} of the JDK's native code: private, copy on write. */
    private static final int NATIVE_PRIVATE = 2;
    /** A multiple of every page size in use. */
    private static final long PAGE = 1L << 16;

    private FileMapping() {}

    /** Opens a file as a private mapping needs it; nothing is ever written to it. */
    static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Maps {@code bytes} bytes from {@code offset}; empty where this JVM has no way to. */
    static Optional<Storage> map(FileChannel channel, long offset, long bytes) throws IOException {
        if (bytes <= Integer.MAX_VALUE) {
            return Optional.of(Storage.wrap(channel.map(MapMode.PRIVATE, offset, bytes)));
        }
        try {
            return Optional.of(
                    Runtime.version().feature() >= 22
                            ? mapSegment(channel, offset, bytes)
                            : mapNatively(channel, offset, bytes));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            return Optional.empty();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Storage mapSegment(FileChannel channel, long offset, long bytes)
            throws ReflectiveOperationException {
        Class<?> arenaType = Class.forName("java.lang.foreign.Arena");
        // Unmapped when the segment, which the storage keeps, becomes unreachable.
        Object arena = arenaType.getMethod("ofAuto").invoke(null);
        Object segment = FileChannel.class
                .getMethod("map", MapMode.class, long.class, long.class, arenaType)
                .invoke(channel, MapMode.PRIVATE, offset, bytes, arena);
        Method address = Class.forName("java.lang.foreign.MemorySegment").getMethod("address");
        return Storage.wrap((long) address.invoke(segment), bytes, segment);
    }

    private static Storage mapNatively(FileChannel channel, long offset, long bytes)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.nio.ch.FileChannelImpl");
        Method map = type.getDeclaredMethod("map0", int.class, long.class, long.class, boolean.class);
        Method unmap = type.getDeclaredMethod("unmap0", long.class, long.class);
        map.setAccessible(true);
        unmap.setAccessible(true);
        long skipped = offset % PAGE;
        long length = bytes + skipped;
        long start = (long) map.invoke(channel, NATIVE_PRIVATE, offset - skipped, length, false);
        Object owner = new Object();
        CLEANER.register(owner, () -> unmap(unmap, start, length));
        return Storage.wrap(start + skipped, bytes, owner);
    }

    private static void unmap(Method unmap, long address, long length) {
        try {
            unmap.invoke(null, address, length);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot unmap " + length + " bytes", e);
        }
    }
}
