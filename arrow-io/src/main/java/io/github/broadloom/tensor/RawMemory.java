package io.github.broadloom.tensor;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * Reads, writes and copies memory by its address, unchecked: the only user of {@link Unsafe}. Whoever calls checks the
 * range, and keeps the {@link Storage} reachable until the call is over.
 */
@SuppressWarnings("removal") // Java 22 deprecates these methods; their replacement is not in Java 17
public final class RawMemory {
    /** What a processor reads at once. */
    static final long CACHE_LINE_BYTES = 64;

    private static final Unsafe UNSAFE = unsafe();
    private static final long BUFFER_ADDRESS = bufferField("address");
    private static final long BUFFER_CAPACITY = bufferField("capacity");
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    private RawMemory() {}

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static long bufferField(String name) {
        try {
            return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The address of the byte at the position of a direct buffer. */
    public static long addressOf(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("Cannot use buffer: it is on the heap; use a direct one");
        }
        return UNSAFE.getLong(direct, BUFFER_ADDRESS) + direct.position();
    }

    /** The bytes from {@code address} on as a direct buffer, whose order is that of any new one; it keeps nobody from freeing them. */
    static ByteBuffer view(long address, int bytes) {
        ByteBuffer view = NO_BYTES.duplicate();
        UNSAFE.putLong(view, BUFFER_ADDRESS, address);
        UNSAFE.putInt(view, BUFFER_CAPACITY, bytes);
        return view.clear();
    }

    /** The first address from that one on where a cache line begins. */
    static long cacheLine(long address) {
        return (address + CACHE_LINE_BYTES - 1) & -CACHE_LINE_BYTES;
    }

    /** Memory of the operating system, uninitialised; no limit of the JVM counts it. */
    static long allocate(long bytes) {
        return UNSAFE.allocateMemory(bytes);
    }

    static void free(long address) {
        UNSAFE.freeMemory(address);
    }

    public static byte getByte(long address) {
        return UNSAFE.getByte(address);
    }

    public static void putByte(long address, byte value) {
        UNSAFE.putByte(address, value);
    }

    public static short getShort(long address) {
        return UNSAFE.getShort(address);
    }

    public static void putShort(long address, short value) {
        UNSAFE.putShort(address, value);
    }

    public static int getInt(long address) {
        return UNSAFE.getInt(address);
    }

    public static void putInt(long address, int value) {
        UNSAFE.putInt(address, value);
    }

    public static long getLong(long address) {
        return UNSAFE.getLong(address);
    }

    public static void putLong(long address, long value) {
        UNSAFE.putLong(address, value);
    }

    public static float getFloat(long address) {
        return UNSAFE.getFloat(address);
    }

    public static void putFloat(long address, float value) {
        UNSAFE.putFloat(address, value);
    }

    public static double getDouble(long address) {
        return UNSAFE.getDouble(address);
    }

    public static void putDouble(long address, double value) {
        UNSAFE.putDouble(address, value);
    }

    /** Copies that many bytes; the ranges may overlap. */
    public static void copy(long from, long to, long bytes) {
        UNSAFE.copyMemory(from, to, bytes);
    }

    public static void fill(long address, long bytes, byte value) {
        UNSAFE.setMemory(address, bytes, value);
    }

    /** Reverses the bytes of each of {@code count} elements in place: the other byte order. */
    public static void swapBytes(long address, long count, int elementBytes) {
        long end = address + count * elementBytes;
        switch (elementBytes) {
            case 1 -> {}
            case 2 -> {
                for (long at = address; at < end; at += 2) {
                    putShort(at, Short.reverseBytes(getShort(at)));
                }
            }
            case 4 -> {
                for (long at = address; at < end; at += 4) {
                    putInt(at, Integer.reverseBytes(getInt(at)));
                }
            }
            default -> {
                for (long at = address; at < end; at += 8) {
                    putLong(at, Long.reverseBytes(getLong(at)));
                }
            }
        }
    }

    /** Copies {@code count} elements into a primitive array, from its element {@code start} on. */
    public static void copy(long from, Object to, int start, int count) {
        long bytes = elementBytes(to);
        UNSAFE.copyMemory(null, from, to, firstElement(to) + bytes * start, bytes * count);
    }

    /** Copies {@code count} elements of a primitive array, from its element {@code start} on. */
    public static void copy(Object from, int start, long to, int count) {
        long bytes = elementBytes(from);
        UNSAFE.copyMemory(from, firstElement(from) + bytes * start, null, to, bytes * count);
    }

    private static long elementBytes(Object array) {
        if (array instanceof float[] || array instanceof int[]) {
            return Integer.BYTES;
        }
        if (array instanceof byte[]) {
            return Byte.BYTES;
        }
        return array instanceof short[] ? Short.BYTES : Long.BYTES;
    }

    /** Where the elements of a primitive array begin, for the methods that take an array and an offset. */
    public static long firstElement(Object array) {
        if (array instanceof float[]) {
            return Unsafe.ARRAY_FLOAT_BASE_OFFSET;
        }
        if (array instanceof double[]) {
            return Unsafe.ARRAY_DOUBLE_BASE_OFFSET;
        }
        if (array instanceof byte[]) {
            return Unsafe.ARRAY_BYTE_BASE_OFFSET;
        }
        if (array instanceof short[]) {
            return Unsafe.ARRAY_SHORT_BASE_OFFSET;
        }
        return array instanceof int[] ? Unsafe.ARRAY_INT_BASE_OFFSET : Unsafe.ARRAY_LONG_BASE_OFFSET;
    }

    /** Copies between any two places, each an array and an offset in bytes, or null and an address. */
    public static void copy(@Nullable Object from, long fromAt, @Nullable Object to, long toAt, long bytes) {
        UNSAFE.copyMemory(from, fromAt, to, toAt, bytes);
    }

    /** Copies one byte; a place is an array and an offset in bytes, or null and an address. */
    public static void copyByte(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        UNSAFE.putByte(to, toAt, UNSAFE.getByte(from, fromAt));
    }

    public static void copyShort(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        UNSAFE.putShort(to, toAt, UNSAFE.getShort(from, fromAt));
    }

    public static void copyInt(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        UNSAFE.putInt(to, toAt, UNSAFE.getInt(from, fromAt));
    }

    public static void copyLong(@Nullable Object from, long fromAt, @Nullable Object to, long toAt) {
        UNSAFE.putLong(to, toAt, UNSAFE.getLong(from, fromAt));
    }

    public static byte getByte(@Nullable Object from, long at) {
        return UNSAFE.getByte(from, at);
    }

    public static void putLong(@Nullable Object to, long at, long value) {
        UNSAFE.putLong(to, at, value);
    }

    /** One element of so many bytes. */
    public static void copyElement(long from, long to, int width) {
        switch (width) {
            case 1 -> putByte(to, getByte(from));
            case 2 -> putShort(to, getShort(from));
            case 4 -> putInt(to, getInt(from));
            default -> putLong(to, getLong(from));
        }
    }
}
