package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** NumPy's npy files: of a box only its bytes are read, of an array in Fortran order as well. */
public final class NpyFormat implements ArrayFormat {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    @Override
    public String name() {
        return "npy";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".npy");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return Arrays.equals(FileBytes.first(store, MAGIC.length), MAGIC);
    }

    @Override
    public List<String> keys(Store store) {
        return List.of("");
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        if (!key.isEmpty()) {
            throw new TensorFormatException(
                    "Cannot read " + store.name() + ":" + key + ": a npy file holds one array, without a name");
        }
        NpyHeader header;
        try (SeekableByteChannel file = store.open("")) {
            InputStream in = Channels.newInputStream(file);
            header = NpyHeader.read(in, store.name());
            header.checkFileLength(file.size(), store.name());
        }
        Shape shape = header.shape();
        boolean fortran = header.fortranOrder() && shape.rank() > 1;
        boolean big = header.order() == ByteOrder.BIG_ENDIAN && header.dtype().bytes() > 1;
        RawArray lying =
                new RawArray(store, "", header.dataOffset(), header.dtype(), big, fortran ? reversed(shape) : shape);
        String encoding = (big ? "big-endian" : "little-endian") + (fortran ? ", Fortran order" : "");
        return new StoredArray(
                "",
                header.dtype(),
                shape,
                StoredArray.anyBox(shape.rank()),
                List.of(),
                Map.of(),
                encoding,
                fortran ? new Fortran(lying) : lying);
    }

    @Override
    public FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        if (!target.key().isEmpty()) {
            throw TensorFormatException.cannotWrite(target.toString(), "a npy file holds one array, without a name");
        }
        NpyHeader header = NpyHeader.of(dtype, shape);
        return new FlatFile(header.encode(), dtype, shape, header.order() == ByteOrder.BIG_ENDIAN, 0);
    }

    /** The sizes from the last dimension to the first: those of the array as it lies in Fortran order. */
    public static Shape reversed(Shape shape) {
        return Shape.of(reversed(shape.toArray()));
    }

    private static long[] reversed(long[] numbers) {
        long[] reversed = new long[numbers.length];
        Arrays.setAll(reversed, d -> numbers[numbers.length - 1 - d]);
        return reversed;
    }

    /**
     * An array whose first dimension varies fastest.
     *
     * @param lying the same with its dimensions the other way round, row-major
     */
    public record Fortran(RawArray lying) implements BlockReader {
        private static Box inFile(Box box) {
            return Box.at(reversed(box.starts()), reversed(box.shape()));
        }

        @Override
        public Tensor read(Box box) throws IOException {
            int rank = box.rank();
            return lying.read(inFile(box))
                    .permute(IntStream.range(0, rank).map(d -> rank - 1 - d).toArray());
        }

        @Override
        public long costBytes(Box box, long ofWholeRows) {
            return lying.costBytes(inFile(box), ofWholeRows);
        }

        @Override
        public long readingBytes(Shape box) {
            return lying.readingBytes(reversed(box));
        }
    }
}
