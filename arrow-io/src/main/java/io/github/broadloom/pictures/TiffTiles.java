package io.github.broadloom.pictures;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;

/** Reads boxes of a page out of its tiles or strips. Where these are, a task looks up once. */
final class TiffTiles implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final Store store;
    private final String name;
    /** Of the page's directory. */
    private final long position;

    private final DType bits;
    private final Shape shape;
    private final Shape tile;
    private transient volatile @Nullable TiffPage page;

    TiffTiles(Store store, String name, long position, TiffPage page) {
        this.store = store;
        this.name = name;
        this.position = position;
        this.bits = page.bits();
        this.shape = page.shape();
        this.tile = page.tile();
        this.page = page;
    }

    @Override
    public Tensor read(Box box) throws IOException {
        try (SeekableByteChannel in = store.open("")) {
            TiffPage known = page;
            if (known == null) {
                TiffInput input = TiffInput.open(in, name);
                known = TiffPage.of(input, input.directory(position), name);
                page = known;
            }
            if (!known.shape().equals(shape) || !known.tile().equals(tile) || known.bits() != bits) {
                throw new TensorFormatException("Cannot read " + name + ": it was " + bits + " " + shape
                        + " when it was opened and was replaced since; open it again");
            }
            return new Reading(known, in).read(box);
        }
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return new Reading(null, null).costBytes(box, ofWholeRows);
    }

    @Override
    public long readingBytes(Shape box) {
        return new Reading(null, null).readingBytes(box);
    }

    /** One look into the open file. */
    private final class Reading extends ChunkedArray {
        private static final long serialVersionUID = 1L;

        private final transient @Nullable TiffPage of;
        private final transient @Nullable SeekableByteChannel in;

        Reading(@Nullable TiffPage of, @Nullable SeekableByteChannel in) {
            super(bits, shape, tile);
            this.of = of;
            this.in = in;
        }

        private TiffPage page() {
            if (of == null) {
                throw new IllegalStateException("Not open");
            }
            return of;
        }

        private SeekableByteChannel channel() {
            if (in == null) {
                throw new IllegalStateException("Not open");
            }
            return in;
        }

        private int number(long[] index) {
            long inPlane = index[0] * page().tilesAcross() + index[1];
            return (int) (page().separate() ? index[2] * page().tilesDown() * page().tilesAcross() + inPlane : inPlane);
        }

        /** The shape that a tile has in the file. */
        private Shape stored(long[] index) {
            long[] sizes = tile.toArray();
            sizes[0] = page().rows(index[0] * tile.size(0));
            return Shape.of(sizes);
        }

        private boolean isMissing(int number) {
            return page().offsets()[number] == 0 || page().byteCounts()[number] == 0;
        }

        /** Of tiles that are not packed only what is wanted. */
        @Override
        protected void readPart(long[] index, Box whole, Box part, Tensor target) throws IOException {
            int number = number(index);
            boolean plain = page().compression() == TiffCompression.NONE && page().predictor() == 1;
            if (!plain || isMissing(number)) {
                super.readPart(index, whole, part, target);
                return;
            }
            Shape stored = stored(index);
            checkPlace(number, bits.sizeBytes(stored.numel()));
            boolean bigEndian = page().order() == ByteOrder.BIG_ENDIAN;
            RawArray raw = new RawArray(store, "", page().offsets()[number], bits, bigEndian, stored);
            raw.read(channel(), part.from(whole), target);
        }

        private void checkPlace(int number, long bytes) throws IOException {
            long offset = page().offsets()[number];
            if (page().byteCounts()[number] < bytes
                    || offset < 0
                    || bytes > channel().size() - offset) {
                throw damaged(number);
            }
        }

        private TensorFormatException damaged(int number) {
            return TensorFormatException.cannotRead(
                    name,
                    "tile or strip " + number + " has not the "
                            + page().compression().label() + " data of its pixels; the file is truncated or damaged");
        }

        @Override
        protected @Nullable Tensor readChunk(long[] index) throws IOException {
            int number = number(index);
            if (isMissing(number)) {
                return null;
            }
            Shape stored = stored(index);
            int bytes = Math.toIntExact(bits.sizeBytes(stored.numel()));
            long packedBytes = page().byteCounts()[number];
            checkPlace(number, Math.min(packedBytes, Integer.MAX_VALUE));
            if (packedBytes > Integer.MAX_VALUE - 64 || !page().compression().isPlausible(packedBytes, bytes)) {
                throw damaged(number);
            }
            byte[] packed = FileBytes.exactly(channel(), page().offsets()[number], (int) packedBytes, name);
            byte[] unpacked = page().compression() == TiffCompression.JPEG
                    ? page().jpeg().unpack(packed, stored)
                    : page().compression().unpack(packed, bytes);
            if (unpacked == null || unpacked.length < bytes) {
                throw damaged(number);
            }
            return elements(unpacked, stored);
        }

        private Tensor elements(byte[] bytes, Shape stored) {
            int samples = stored.rank() > 2 ? (int) stored.size(2) : 1;
            int row = (int) stored.size(1) * samples;
            boolean floating = page().predictor() == 3;
            byte[] ordered = floating ? Predictors.floating(bytes, row, samples, bits.bytes()) : bytes;
            Storage storage = Storage.allocate(bits.sizeBytes(stored.numel()));
            RawMemory.copy(ordered, 0, storage.address(), (int) storage.sizeBytes());
            Tensor elements =
                    RawElements.array(storage, bits, floating ? ByteOrder.BIG_ENDIAN : page().order(), stored);
            if (page().predictor() == 2) {
                Predictors.differences(elements, row, samples);
            }
            return elements;
        }

        /** GDAL leaves out tiles that have no data. */
        @Override
        protected void fill(Tensor elements) {
            elements.zero_();
            if (page().attributes().get("GDAL_NODATA") instanceof String text) {
                try {
                    elements.fill_(
                            bits.isFloatingPoint()
                                    ? (Object) Double.valueOf(text.strip())
                                    : Long.valueOf(text.strip()));
                } catch (IllegalArgumentException e) {
                    elements.zero_(); // no number, or none of that dtype
                }
            }
        }

        /** A tile as it lies there, unpacked, and without its predictor. */
        @Override
        protected long chunkOverheadBytes() {
            return 3 * super.chunkOverheadBytes();
        }
    }
}
