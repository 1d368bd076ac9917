package io.github.broadloom.hdf5;

import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ConstantArray;
import io.github.broadloom.format.HeldArray;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.format.UnsignedArray;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.jhdf.Constants;
import io.jhdf.ObjectHeader;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.DataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessageV4;
import io.jhdf.object.message.DataLayoutMessage.CompactDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ContiguousDataLayoutMessage;
import io.jhdf.object.message.DataSpace;
import io.jhdf.object.message.DataSpaceMessage;
import io.jhdf.object.message.DataTypeMessage;
import io.jhdf.object.message.FillValueMessage;
import io.jhdf.object.message.FilterPipelineMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** A dataset by what its header says of it. */
final class Hdf5Arrays {
    private static final int NO_DATA = 2;

    private final Store store;
    private final Hdf5File file;
    private final String key;
    private final String name;
    private final long address;
    private final ObjectHeader header;

    private Hdf5Arrays(Store store, Hdf5File file, String key, String name, long address) {
        this.store = store;
        this.file = file;
        this.key = key;
        this.name = name;
        this.address = address;
        this.header = file.header(address);
    }

    static StoredArray open(Store store, String key) throws IOException {
        String name = store.name() + ":" + TensorFormatException.quoted(key);
        return Hdf5File.use(store, name, file -> {
            long address = file.find(key);
            if (address < 0) {
                throw TensorFormatException.noArray(store.name(), key, file.datasets());
            }
            return new Hdf5Arrays(store, file, key, name, address).array();
        });
    }

    private StoredArray array() throws IOException {
        if (!header.hasMessageOfType(DataSpaceMessage.class)) {
            throw TensorFormatException.cannotRead(
                    name, "it is a group; name one of its arrays: " + TensorFormatException.listed(file.datasets()));
        }
        Hdf5Type type =
                Hdf5Type.of(header.getMessageOfType(DataTypeMessage.class).getDataType(), name);
        Shape shape = shape(type);
        DataLayoutMessage layout = header.getMessageOfType(DataLayoutMessage.class);
        boolean chunked = layout instanceof ChunkedDataLayoutMessage || layout instanceof ChunkedDataLayoutMessageV4;
        Hdf5Filters filters = filters();
        Shape chunk = chunked ? chunk(layout, type, shape) : shape;
        BlockReader elements = elements(layout, type, shape, chunk, filters);
        Hdf5Attributes attributes = new Hdf5Attributes(file, header);
        boolean inPart = !chunked || filters.isEmpty();
        String encoding = encoding(type, filters);
        return new StoredArray(
                key,
                type.unsigned() ? new UnsignedArray(elements, type.bits()).dtype() : type.bits(),
                shape,
                inPart ? StoredArray.anyBox(shape.rank()) : chunk,
                new DimensionNames(file, key, address, attributes).of(shape.rank()),
                attributes.values(),
                chunked && inPart ? "chunks of " + chunk + ", " + encoding : encoding,
                type.unsigned() ? new UnsignedArray(elements, type.bits()) : elements);
    }

    private static String encoding(Hdf5Type type, Hdf5Filters filters) {
        String order = type.bigEndian() ? "big-endian" : "little-endian";
        return filters.isEmpty() ? order : order + ", " + filters;
    }

    private Shape shape(Hdf5Type type) throws TensorFormatException {
        DataSpace space = header.getMessageOfType(DataSpaceMessage.class).getDataSpace();
        if (space.getType() == NO_DATA) {
            throw TensorFormatException.cannotRead(name, "its dataspace is null: it has no elements and no shape");
        }
        return ClaimedShape.of(space.getDimensionsAsLong(), type.bits(), name);
    }

    private Hdf5Filters filters() throws TensorFormatException {
        return header.hasMessageOfType(FilterPipelineMessage.class)
                ? Hdf5Filters.of(
                        header.getMessageOfType(FilterPipelineMessage.class).getFilters(), name)
                : new Hdf5Filters(List.of());
    }

    private Shape chunk(DataLayoutMessage layout, Hdf5Type type, Shape shape) throws TensorFormatException {
        int[] sizes = layout instanceof ChunkedDataLayoutMessageV4 later
                ? later.getChunkDimensions() // and behind them the bytes of an element
                : ((ChunkedDataLayoutMessage) layout).getChunkDimensions();
        if (sizes.length < shape.rank() || Arrays.stream(sizes).anyMatch(size -> size < 1)) {
            throw new HdfException("its chunks are of shape " + Arrays.toString(sizes) + "; the file is damaged");
        }
        long[] chunk = Arrays.stream(sizes).limit(shape.rank()).asLongStream().toArray();
        Shape claimed = ClaimedShape.of(chunk, type.bits(), name);
        if (header.hasMessageOfType(FilterPipelineMessage.class)
                && type.bits().sizeBytes(claimed.numel()) > Integer.MAX_VALUE - 64) {
            throw TensorFormatException.cannotRead(
                    name, "its chunks of " + claimed + " have more than 2 GiB each, which one read does not take");
        }
        return claimed;
    }

    private BlockReader elements(DataLayoutMessage layout, Hdf5Type type, Shape shape, Shape chunk, Hdf5Filters filters)
            throws TensorFormatException {
        if (layout instanceof CompactDataLayoutMessage compact) {
            ByteBuffer data = compact.getDataBuffer();
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            if (bytes.length != type.bits().sizeBytes(shape.numel())) {
                throw new HdfException("its header holds " + bytes.length + " bytes for " + shape + "; it is damaged");
            }
            return new HeldArray(bytes, type.bits(), type.bigEndian(), shape);
        }
        if (layout instanceof ContiguousDataLayoutMessage contiguous) {
            long at = contiguous.getAddress();
            if (at != Constants.UNDEFINED_ADDRESS) {
                file.storage().check(at, type.bits().sizeBytes(shape.numel()));
                return new RawArray(
                        store, "", file.storage().getUserBlockSize() + at, type.bits(), type.bigEndian(), shape);
            }
            return new ConstantArray(fill(type), type.bits(), type.bigEndian(), shape);
        }
        return new Hdf5Chunks(store, name, address, type, shape, chunk, filters, fill(type));
    }

    /** The bytes of the element that stands where nothing was written; none where all are 0. */
    private byte[] fill(Hdf5Type type) {
        for (FillValueMessage message : header.getMessagesOfType(FillValueMessage.class)) {
            if (message.isFillValueDefined()) {
                ByteBuffer value = message.getFillValue();
                byte[] bytes = new byte[value.remaining()];
                value.get(bytes);
                return bytes.length == type.bits().bytes() ? bytes : new byte[0];
            }
        }
        return new byte[0];
    }
}
