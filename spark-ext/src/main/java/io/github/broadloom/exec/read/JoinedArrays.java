package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ReadOptions.Join;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of several files as one. */
public final class JoinedArrays {
    private JoinedArrays() {}

    /**
     * One source of them all.
     *
     * @param dim of theirs, or of the result where it is a new one; counted from the end where it is less than 0
     * @throws TensorFormatException where one does not fit to the first, naming both
     */
    public static Source of(
            String name, List<Location> files, List<StoredArray> arrays, Join join, int dim, Settings settings)
            throws TensorFormatException {
        int rank = arrays.get(0).shape().rank() + (join == Join.STACK ? 1 : 0);
        if (dim < -rank || dim >= rank) {
            throw new TensorFormatException("Cannot read " + name + " as one tensor along dimension " + dim + ": "
                    + (rank == 0 ? "it has none; stack the files" : "it has dimensions 0 to " + (rank - 1)));
        }
        int along = dim < 0 ? dim + rank : dim;
        List<StoredArray> joined = new ArrayList<>();
        for (int i = 0; i < arrays.size(); i++) {
            StoredArray array = join == Join.STACK ? unsqueezed(arrays.get(i), along) : arrays.get(i);
            joined.add(array);
            checkAlike(files.get(0), joined.get(0), files.get(i), array, along);
        }
        return source(name, joined, along, settings);
    }

    private static StoredArray unsqueezed(StoredArray array, int dim) {
        return array.with(
                inserted(array.shape(), dim), inserted(array.chunk(), dim), new Unsqueezed(array.reader(), dim));
    }

    private static Shape inserted(Shape shape, int dim) {
        long[] sizes = new long[shape.rank() + 1];
        for (int d = 0; d < sizes.length; d++) {
            sizes[d] = d == dim ? 1 : shape.size(d < dim ? d : d - 1);
        }
        return Shape.of(sizes);
    }

    private static void checkAlike(Location firstFile, StoredArray first, Location file, StoredArray array, int dim)
            throws TensorFormatException {
        boolean alike = array.dtype() == first.dtype()
                && array.shape().rank() == first.shape().rank()
                && array.shape().with(dim, first.shape().size(dim)).equals(first.shape());
        if (!alike) {
            throw new TensorFormatException("Cannot read " + file + " after " + firstFile + ": " + array.dtype() + " "
                    + array.shape() + " does not continue " + first.dtype() + " " + first.shape()
                    + " along dimension " + dim);
        }
    }

    private static Source source(String name, List<StoredArray> arrays, int dim, Settings settings) {
        StoredArray first = arrays.get(0);
        long[] counts =
                arrays.stream().mapToLong(array -> array.shape().size(dim)).toArray();
        FileRows rows = FileRows.of(counts);
        Shape shape = first.shape().with(dim, rows.bounds()[counts.length]);
        BlockReader[] readers = arrays.stream().map(StoredArray::reader).toArray(BlockReader[]::new);
        String called = first.key().isEmpty() ? name : name + ":" + first.key();
        return new FileSource(
                called,
                called,
                first.dtype(),
                shape,
                grid(arrays, shape, dim, settings),
                first.readsAnyBox() ? null : first.chunk(),
                new JoinedReader(first.dtype(), dim, readers, rows));
    }

    /** Cuts between files, so that none is read twice; small ones are taken together, and large ones cut between their chunks. */
    private static @Nullable ChunkGrid grid(List<StoredArray> arrays, Shape shape, int dim, Settings settings) {
        if (shape.numel() == 0) {
            return null;
        }
        if (dim != 0) {
            return StoredSources.grid(
                    arrays.get(0)
                            .with(shape, arrays.get(0).chunk(), arrays.get(0).reader()),
                    settings);
        }
        long rowBytes = arrays.get(0).dtype().sizeBytes(shape.inner().numel());
        long most = Math.max(1, settings.chunkBytesOf(rowBytes * shape.size(0)) / Math.max(1, rowBytes));
        List<Long> bounds = new ArrayList<>(List.of(0L));
        long start = 0;
        long end = 0;
        for (StoredArray array : arrays) {
            long rows = array.shape().size(0);
            if (end > start && end + rows - start > most) {
                bounds.add(end);
                start = end;
            }
            long step = array.chunk().size(0) * Math.max(1, most / array.chunk().size(0));
            for (long cut = step; cut < rows; cut += step) {
                bounds.add(end + cut);
                start = end + cut;
            }
            end += rows;
        }
        bounds.add(end);
        return ChunkGrid.of(
                shape,
                RowGrid.of(bounds.stream().mapToLong(Long::longValue).distinct().toArray()));
    }

    /** An array with a dimension of size 1 more. */
    private record Unsqueezed(BlockReader reader, int dim) implements BlockReader {
        private Box inFile(Box box) {
            long[] starts = new long[box.rank() - 1];
            long[] ends = new long[starts.length];
            for (int d = 0; d < starts.length; d++) {
                starts[d] = box.start(d < dim ? d : d + 1);
                ends[d] = box.end(d < dim ? d : d + 1);
            }
            return Box.of(starts, ends);
        }

        @Override
        public Tensor read(Box box) throws IOException {
            Box inFile = inFile(box);
            return box.size(dim) == 0
                    ? reader.read(inFile).unsqueeze(dim).narrow(dim, 0, 0)
                    : reader.read(inFile).unsqueeze(dim);
        }

        @Override
        public long costBytes(Box box, long ofWholeRows) {
            return reader.costBytes(inFile(box), ofWholeRows);
        }

        @Override
        public long readingBytes(Shape box) {
            return reader.readingBytes(inFile(Box.whole(box)).shape());
        }
    }
}
