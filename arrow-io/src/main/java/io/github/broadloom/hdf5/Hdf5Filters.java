package io.github.broadloom.hdf5;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Storage;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was done to the bytes of each chunk, in order; undone in the opposite one. */
record Hdf5Filters(List<Step> steps) implements Serializable {
    /** Those that are known by name, so that a message can say it. */
    private static final Map<Integer, String> OTHERS = Map.of(
            4,
            "szip",
            5,
            "nbit",
            6,
            "scale-offset",
            307,
            "bzip2",
            32001,
            "blosc",
            32003,
            "snappy",
            32013,
            "zfp",
            32026,
            "blosc2");

    /** A filter and its parameters. */
    record Step(ChunkFilter filter, int[] parameters) implements Serializable {}

    /** @throws TensorFormatException where one is not known */
    static Hdf5Filters of(List<FilterInfo> filters, String name) throws TensorFormatException {
        for (FilterInfo filter : filters) {
            if (ChunkFilter.of(filter.getId()).isEmpty()) {
                throw TensorFormatException.cannotRead(
                        name,
                        "its chunks went through filter " + filter.getId() + " ("
                                + OTHERS.getOrDefault(filter.getId(), TensorFormatException.quoted(filter.getName()))
                                + "), which cannot be undone here; "
                                + Arrays.stream(ChunkFilter.values())
                                        .map(ChunkFilter::label)
                                        .collect(Collectors.joining(", "))
                                + " can");
            }
        }
        return new Hdf5Filters(filters.stream()
                .map(filter -> new Step(ChunkFilter.of(filter.getId()).orElseThrow(), filter.getData()))
                .toList());
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Whether a chunk's bytes lie as they are: it was written so, past all filters. */
    boolean isPassedBy(BitSet mask) {
        return mask.nextClearBit(0) >= steps.size();
    }

    /**
     * The elements of a chunk.
     *
     * @param stored its bytes as they lie in the file, the first {@code storedBytes}; released
     * @param mask of the filters that this chunk did not go through
     * @param size how many bytes it has
     * @return memory that begins with so many bytes, and is the caller's
     * @throws HdfException where they are damaged, or others than so many
     */
    Storage decode(Storage stored, int storedBytes, BitSet mask, int size) {
        Storage held = stored;
        int bytes = storedBytes;
        try {
            for (int i = steps.size() - 1; i >= 0; i--) {
                if (!mask.get(i)) {
                    ChunkFilter filter = steps.get(i).filter();
                    long most = Math.min(filter.mostDecoded(bytes), size + (long) i * ChunkFilter.MOST_ADDED);
                    Storage source = held;
                    held = Storage.allocate(Math.min(most, Integer.MAX_VALUE - 8));
                    try {
                        bytes = decode(steps.get(i), source, bytes, held);
                    } finally {
                        source.release();
                    }
                }
            }
            if (bytes != size) {
                throw new HdfException("a chunk has " + bytes + " bytes where " + size + " belong; it is damaged");
            }
            return held;
        } catch (RuntimeException | Error e) {
            held.release();
            throw e;
        }
    }

    private static int decode(Step step, Storage source, int bytes, Storage target) {
        ByteBuffer room = target.view(0, (int) target.sizeBytes());
        try {
            step.filter().decode(source.view(0, bytes), step.parameters(), room);
        } catch (DamagedBytes e) {
            throw new HdfException(
                    "the " + step.filter().label() + " data of a chunk is damaged: " + e.getMessage(), e);
        }
        return room.position();
    }

    /** For people: {@code shuffle, deflate}. */
    @Override
    public String toString() {
        return steps.stream().map(step -> step.filter().label()).collect(Collectors.joining(", "));
    }
}
