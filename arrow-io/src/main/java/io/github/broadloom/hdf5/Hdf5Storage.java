package io.github.broadloom.hdf5;

import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.Store;
import io.jhdf.Superblock;
import io.jhdf.exceptions.HdfException;
import io.jhdf.storage.HdfBackingStorage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What jHDF reads a file's structures through. A range that leaves the file is refused before memory is taken for it, and so are structures that lead back to themselves, which would
 * be read for ever. Neighbouring structures come out of pages, so that each is not a request of its own.
 */
final class Hdf5Storage implements HdfBackingStorage, Closeable {
    static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    private static final int PAGE_BYTES = 4 << 10;
    private static final int PAGES = 256;
    /** No tree has so many nodes that lead to one, and a recursion of as many steps fits a thread's stack. */
    private static final int MOST_READS_OF_ONE = 1000;

    static final int FIRST_USER_BLOCK = 512;

    private final SeekableByteChannel in;
    private final long size;
    private final Superblock superblock;
    private final Map<Long, byte[]> pages = new LinkedHashMap<>(PAGES, 0.75f, true);
    private final Map<Long, Integer> reads = new HashMap<>();
    private long budgetBytes;

    private Hdf5Storage(SeekableByteChannel in, long start) throws IOException {
        this.in = in;
        this.size = in.size();
        // jHDF looks for the root group's entry behind the superblock, from the file's beginning on.
        ByteBuffer buffer =
                ByteBuffer.wrap(FileBytes.upTo(in, start, PAGE_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        this.superblock = Superblock.readSuperblock(buffer);
        if (superblock.getBaseAddressByte() != start || !isSize(getSizeOfOffsets()) || !isSize(getSizeOfLengths())) {
            throw new HdfException("its superblock is damaged");
        }
        // Of all structures together: more than this is a structure that is read again and again.
        this.budgetBytes = 16 * size + (16L << 20);
    }

    private static boolean isSize(int bytes) {
        return bytes == 4 || bytes == 8;
    }

    /** @throws HdfException where there is no HDF5 file */
    static Hdf5Storage open(Store store) throws IOException {
        SeekableByteChannel in = store.open("");
        boolean complete = false;
        try {
            long start = start(in, in.size());
            if (start < 0) {
                throw new HdfException("it does not begin as a HDF5 file does");
            }
            Hdf5Storage storage = new Hdf5Storage(in, start);
            complete = true;
            return storage;
        } finally {
            if (!complete) {
                in.close();
            }
        }
    }

    /** Where the superblock is: at the beginning, or behind a user's block of 512 bytes, 1024, 2048 and so on up to the last place to look at; -1 where there is none. */
    static long start(SeekableByteChannel in, long last) throws IOException {
        for (long start = 0; start < in.size() && start <= last; start = start == 0 ? FIRST_USER_BLOCK : 2 * start) {
            if (Arrays.equals(FileBytes.upTo(in, start, SIGNATURE.length), SIGNATURE)) {
                return start;
            }
        }
        return -1;
    }

    SeekableByteChannel channel() {
        return in;
    }

    /** Bytes of the file, where there are so many. */
    void check(long address, long length) {
        long base = superblock.getBaseAddressByte();
        if (address < 0 || length < 0 || length > size - base || address > size - base - length) {
            throw new HdfException("it names " + length + " bytes at " + Long.toUnsignedString(address)
                    + ", which the file does not have; it is truncated or damaged");
        }
    }

    @Override
    public ByteBuffer readBufferFromAddress(long address, int length) {
        check(address, length);
        budgetBytes -= length;
        if (reads.merge(address, 1, Integer::sum) > MOST_READS_OF_ONE || budgetBytes < 0) {
            throw new HdfException("its structures lead back to themselves; the file is damaged");
        }
        try {
            return ByteBuffer.wrap(bytes(address + superblock.getBaseAddressByte(), length))
                    .order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] bytes(long position, int length) throws IOException {
        if (length > PAGE_BYTES) {
            return whole(FileBytes.upTo(in, position, length), length);
        }
        byte[] bytes = new byte[length];
        for (int done = 0; done < length; ) {
            long page = (position + done) / PAGE_BYTES;
            byte[] held = page(page);
            int from = (int) (position + done - page * PAGE_BYTES);
            int count = Math.min(length - done, held.length - from);
            if (count <= 0) {
                throw new HdfException("it was shortened while it was read");
            }
            System.arraycopy(held, from, bytes, done, count);
            done += count;
        }
        return bytes;
    }

    private static byte[] whole(byte[] bytes, int length) {
        if (bytes.length < length) {
            throw new HdfException("it was shortened while it was read");
        }
        return bytes;
    }

    private byte[] page(long number) throws IOException {
        byte[] page = pages.get(number);
        if (page == null) {
            page = FileBytes.upTo(in, number * PAGE_BYTES, PAGE_BYTES);
            pages.put(number, page);
            if (pages.size() > PAGES) {
                pages.remove(pages.keySet().iterator().next());
            }
        }
        return page;
    }

    @Override
    public ByteBuffer map(long address, long length) {
        check(address, length);
        return readBufferFromAddress(address, Math.toIntExact(length));
    }

    @Override
    public ByteBuffer mapNoOffset(long address, long length) {
        return map(address - superblock.getBaseAddressByte(), length);
    }

    @Override
    public long getUserBlockSize() {
        return superblock.getBaseAddressByte();
    }

    @Override
    public Superblock getSuperblock() {
        return superblock;
    }

    @Override
    public FileChannel getFileChannel() {
        throw new UnsupportedOperationException("Nothing is written here");
    }

    @Override
    public int getSizeOfOffsets() {
        return superblock.getSizeOfOffsets();
    }

    @Override
    public int getSizeOfLengths() {
        return superblock.getSizeOfLengths();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean inMemory() {
        return false;
    }
}
