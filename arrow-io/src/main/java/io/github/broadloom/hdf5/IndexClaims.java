package io.github.broadloom.hdf5;

import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessageV4;
import java.nio.ByteBuffer;

/** How many entries an index says that it has, which jHDF takes memory for at once, is held against what fits into the file. */
final class IndexClaims {
    /** Of the shortest entry: an address. */
    private static final int ENTRY_BYTES = 4;

    private IndexClaims() {}

    static void checkTree(Hdf5Storage storage, long address) {
        int at = 16 + storage.getSizeOfOffsets() + 2; // behind the address of the root and its number of records
        check(storage, address, at);
    }

    /**
     * @param chunks how many the array has
     */
    static void check(Hdf5Storage storage, ChunkedDataLayoutMessageV4 layout, double chunks, double chunkBytes) {
        switch (layout.getIndexingType()) {
            case ChunkedDataLayoutMessageV4.IMPLICIT_INDEX -> {
                if (chunks * chunkBytes > storage.size()) {
                    throw new HdfException(
                            "it has fewer chunks than its shape tells of; the file is truncated or damaged");
                }
            }
            case ChunkedDataLayoutMessageV4.FIXED_ARRAY_INDEX -> check(storage, layout.getAddress(), 8);
            case ChunkedDataLayoutMessageV4.EXTENSIBLE_ARRAY_INDEX ->
                check(storage, layout.getAddress(), 12 + 4 * storage.getSizeOfLengths());
            case ChunkedDataLayoutMessageV4.B_TREE_V2_INDEX -> checkTree(storage, layout.getAddress());
            default -> {} // one chunk, or a number that jHDF refuses
        }
    }

    private static void check(Hdf5Storage storage, long address, int at) {
        ByteBuffer count = storage.readBufferFromAddress(address + at, storage.getSizeOfLengths());
        long entries = count.remaining() == 8 ? count.getLong() : count.getInt() & 0xffff_ffffL;
        if (entries < 0 || entries > storage.size() / ENTRY_BYTES) {
            throw new HdfException("an index says that it has " + Long.toUnsignedString(entries)
                    + " entries, for which the file is too short; it is damaged");
        }
    }
}
