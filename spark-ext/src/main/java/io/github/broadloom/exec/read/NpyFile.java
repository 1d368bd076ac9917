package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.NpyFormat;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One npy file whose header and length were checked: what a task needs to read its rows. */
final class NpyFile implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final Location location;
    private final DType dtype;
    private final Shape shape;
    private final int dataOffset;
    private final boolean bigEndian;
    private final boolean fortran;
    /** What a manifest says of it. */
    private final @Nullable Part part;

    private NpyFile(Location location, NpyHeader header, @Nullable Part part) {
        this.part = part;
        this.location = location;
        this.dtype = header.dtype();
        this.shape = header.shape();
        this.dataOffset = header.dataOffset();
        this.bigEndian = header.order() == ByteOrder.BIG_ENDIAN;
        // Of one dimension, or none, both orders are the same.
        this.fortran = header.fortranOrder() && header.shape().rank() > 1;
    }

    /**
     * Reads the header alone, and holds it against the file's length.
     *
     * @throws TensorFormatException where it is not a npy file, or not a whole one
     */
    static NpyFile open(Location location) throws IOException {
        NpyHeader header;
        try (InputStream in = location.open()) {
            header = NpyHeader.read(in, location.name());
        }
        header.checkFileLength(location.length(), location.name());
        return new NpyFile(location, header, null);
    }

    /** A part that a manifest lists, as Broadloom writes it: a look into it can wait for the task that reads it. */
    static NpyFile listed(Location location, DType dtype, Shape shape, Part part) throws IOException {
        NpyHeader header = NpyHeader.of(dtype, shape);
        header.checkFileLength(part.bytes(), location.name());
        return new NpyFile(location, header, part);
    }

    Location location() {
        return location;
    }

    DType dtype() {
        return dtype;
    }

    Shape shape() {
        return shape;
    }

    boolean isFortran() {
        return fortran;
    }

    long rows() {
        return shape.rank() == 0 ? 1 : shape.size(0);
    }

    /** A box of the array, in memory of its own: of a Fortran-ordered file the view of what lies in the file row by row. */
    @Override
    public Tensor read(Box box) throws IOException {
        checkUnchanged();
        Tensor read = elements().read(box);
        if (part != null && box.equals(Box.whole(shape))) {
            TensorBytes.filled(read, elements -> check(part, elements)); // released where that fails
        }
        return read;
    }

    /** Only where it is read whole: ranges are not paid twice. */
    private void check(Part expected, Tensor read) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(header().encode());
        TensorBytes.add(read, crc);
        expected.check(crc, location);
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return elements().costBytes(box, ofWholeRows);
    }

    @Override
    public long readingBytes(Shape box) {
        return elements().readingBytes(box);
    }

    private BlockReader elements() {
        LocationStore store = new LocationStore(location);
        return fortran
                ? new NpyFormat.Fortran(
                        new RawArray(store, "", dataOffset, dtype, bigEndian, NpyFormat.reversed(shape)))
                : new RawArray(store, "", dataOffset, dtype, bigEndian, shape);
    }

    /** A handle outlives its file's contents: elements of another dtype or shape would be read as garbage. */
    private void checkUnchanged() throws IOException {
        NpyFile now = open(location);
        boolean same = now.dtype == dtype
                && now.shape.equals(shape)
                && now.dataOffset == dataOffset
                && now.bigEndian == bigEndian
                && now.fortran == fortran;
        if (!same) {
            throw new TensorFormatException("Cannot read " + location.name() + ": it was " + dtype + " " + shape
                    + " when it was opened and was replaced by " + now.dtype + " " + now.shape
                    + " since; open it again");
        }
    }

    private NpyHeader header() {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new NpyHeader(dtype, order, fortran, shape, dataOffset);
    }
}
