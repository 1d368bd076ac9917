package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.cpu.reduce.SortKeys;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.Search;
import io.github.broadloom.expr.Search.Question;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.jspecify.annotations.Nullable;

/** Searches sorted lines for values, by the keys of both. The keys of one line for all values are made once; else each thread makes those of the line that it is at. */
final class SearchPass implements Parallel.Worker {
    /** Values that are read at a time, and searched by one thread at least. */
    private static final int TILE = 1 << 12;

    private final Question question;
    private final DType dtype;
    private final int length;
    private final MatrixReader lines;
    private final MatrixReader values;
    private final long valuesOfLine;
    private final Tensor result;
    private final long[] keys;
    /** The line whose keys these are. */
    private long known;

    private final Object stored;
    private final long[] sought = new long[TILE];
    private final boolean isFloating;
    private final long nan;

    private SearchPass(Search search, Tensor lines, Tensor values, long @Nullable [] common, Tensor result) {
        this.question = search.question();
        this.dtype = values.dtype();
        this.length = (int) search.lineLength();
        this.lines = new MatrixReader(lines);
        this.values = new MatrixReader(values);
        this.valuesOfLine = values.shape().size(2);
        this.result = result;
        this.keys = common == null ? new long[length] : common;
        this.known = common == null ? -1 : 0;
        this.stored = dtype.primitive().newArray(TILE);
        this.isFloating = dtype.isFloatingPoint();
        this.nan = isFloating ? SortKeys.ofNaN(dtype) : 0;
    }

    /** A fresh contiguous tensor with the answers. */
    static Tensor run(Search search, Tensor lines, Tensor values, int threads) {
        Tensor result = Tensors.empty(search.dtype(), search.shape());
        if (result.numel() == 0) {
            return result;
        }
        if (search.lineLength() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "Cannot search lines of " + search.lineLength() + " values: they do not fit in an array");
        }
        int before = lines.rank() - 1;
        long count = values.shape().dims(0, before).numel();
        boolean isCommon = lines.shape().dims(0, before).numel() == 1;
        Tensor each = isCommon
                ? lines.reshape(1, 1, search.lineLength())
                : lines.expand(values.shape()
                                .dims(0, before)
                                .concat(lines.shape().dims(before, before + 1))
                                .toArray())
                        .reshape(count, 1, search.lineLength());
        Tensor rows =
                isCommon ? values.reshape(1, 1, values.numel()) : values.reshape(count, 1, values.numel() / count);
        try {
            MemoryMeter.array(Long.BYTES * search.lineLength());
            long @Nullable [] common = null;
            if (isCommon) {
                SearchPass first = new SearchPass(search, each, rows, null, result);
                first.read(0);
                common = first.keys;
            }
            long[] shared = common;
            long tiles = (rows.shape().size(2) + TILE - 1) / TILE * rows.shape().size(0);
            Parallel.forRanges(
                    threads,
                    tiles,
                    Parallel.rangeLength(threads, tiles, 1),
                    () -> new SearchPass(search, each, rows, shared, result));
            return result;
        } catch (RuntimeException | Error e) {
            result.release();
            throw e;
        } finally {
            each.releaseCopyOf(lines);
            rows.releaseCopyOf(values);
        }
    }

    @Override
    public void run(long first, long end) {
        long tiles = (valuesOfLine + TILE - 1) / TILE;
        for (long tile = first; tile < end; tile++) {
            read(tile / tiles);
            long at = tile % tiles * TILE;
            search(tile / tiles, at, (int) Math.min(TILE, valuesOfLine - at));
        }
    }

    /** The keys of a line: one that is NaN is less than all. */
    private void read(long line) {
        if (known == line) {
            return;
        }
        Object part = dtype.primitive().newArray(Math.min(TILE, length));
        for (int at = 0; at < length; at += TILE) {
            int count = Math.min(TILE, length - at);
            lines.read(new Box(line, 0, at), new Box(1, 1, count), part);
            SortKeys.of(dtype, Order.ASCENDING, part, 0, count, keys, at);
        }
        if (question != Question.AMONG) {
            for (int i = 0; i < length; i++) {
                keys[i] = isNaN(keys[i]) ? Long.MIN_VALUE : keys[i];
            }
        }
        known = line;
    }

    private void search(long line, long first, int count) {
        values.read(new Box(line, 0, first), new Box(1, 1, count), stored);
        SortKeys.of(dtype, Order.ASCENDING, stored, 0, count, sought, 0);
        long element = line * valuesOfLine + first;
        for (int i = 0; i < count; i++) {
            long key = sought[i];
            if (question == Question.AMONG) {
                int place = below(key);
                boolean found = place < length && keys[place] == key && !isNaN(key);
                RawMemory.putByte(result.address() + element + i, (byte) (found ? 1 : 0));
            } else {
                boolean isLast = isNaN(key) || question == Question.UP_TO && key == Long.MAX_VALUE;
                int place = isLast ? length : below(question == Question.UP_TO ? key + 1 : key);
                RawMemory.putLong(result.address() + (element + i) * Long.BYTES, place);
            }
        }
    }

    private boolean isNaN(long key) {
        return isFloating && key == nan;
    }

    /** How many keys are less. The places that are looked at are those of PyTorch's search, so that the answer is its own in a line that is not in order. */
    private int below(long key) {
        int start = 0;
        int end = length;
        while (start < end) {
            int middle = start + ((end - start) >> 1);
            if (keys[middle] < key) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        return start;
    }
}
