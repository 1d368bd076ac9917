package io.github.broadloom.zarr;

import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.Keys;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.format.UnsignedArray;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.util.List;

/** Zarr, versions 2 and 3: arrays, and groups of them, in folders of chunks. */
public final class ZarrFormat implements ArrayFormat {
    @Override
    public String name() {
        return "zarr";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".zarr");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return ZarrFiles.isThere(store);
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        return ZarrFiles.arrays(store);
    }

    /**
     * Reads and checks the metadata; a chunk that is not there has the fill value everywhere.
     *
     * @throws TensorFormatException where there is no such array, where it has a dtype, codec or extension that is not supported, and where it contradicts itself
     */
    @Override
    public StoredArray open(Store store, String key) throws IOException {
        ZarrMetadata array = ZarrFiles.metadata(store, Keys.checked(key, store.name()));
        ZarrChunks chunks = new ZarrChunks(store, key, array);
        BlockReader reader = array.unsigned() ? new UnsignedArray(chunks, array.dtype()) : chunks;
        return new StoredArray(
                key,
                reader instanceof UnsignedArray unsigned ? unsigned.dtype() : array.dtype(),
                array.shape(),
                chunks.readsAnyBox()
                        ? StoredArray.anyBox(array.shape().rank())
                        : array.codec().piece(),
                array.dimensions(),
                array.attributes(),
                "Zarr " + array.version() + ", " + chunks.describe(),
                reader);
    }
}
