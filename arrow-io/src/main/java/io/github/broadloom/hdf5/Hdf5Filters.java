package io.github.broadloom.hdf5;

import io.github.broadloom.io.TensorFormatException;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import java.io.Serializable;
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
     * The bytes of a chunk.
     *
     * @param mask of the filters that this chunk did not go through
     * @param size how many bytes it has
     * @throws HdfException where they are damaged, or others than so many
     */
    byte[] decode(byte[] stored, BitSet mask, int size) {
        byte[] bytes = stored;
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (!mask.get(i)) {
                Step step = steps.get(i);
                long most = size + (long) i * ChunkFilter.MOST_ADDED;
                bytes = step.filter().decode(bytes, step.parameters(), (int) Math.min(most, Integer.MAX_VALUE - 8));
            }
        }
        if (bytes.length != size) {
            throw new HdfException("a chunk has " + bytes.length + " bytes where " + size + " belong; it is damaged");
        }
        return bytes;
    }

    /** For people: {@code shuffle, deflate}. */
    @Override
    public String toString() {
        return steps.stream().map(step -> step.filter().label()).collect(Collectors.joining(", "));
    }
}
