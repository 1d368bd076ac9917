package io.github.broadloom.pictures;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.format.UnsignedArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads TIFF and BigTIFF files: pages {@code [h, w]}, or {@code [h, w, c]} where pixels have several samples. A file of one page is an array; of several the keys are {@code 0},
 * {@code 1} and so on, and smaller versions of page 0 are {@code 0/overview-1}, its masks {@code 0/mask-1}. What GeoTIFF and GDAL add are attributes.
 *
 * <p>It is read here, and not by TwelveMonkeys, ImageIO's library for it: that knows no Zstandard, and of 0.6 MB little would be used.
 */
public final class TiffFormat implements ArrayFormat {
    private static final int SUBFILE_TYPE = 254;
    private static final int OVERVIEW = 1;
    private static final int MASK = 4;
    private static final int SUBDIRECTORIES = 330;
    private static final int MOST_SUBDIRECTORIES = 64;

    @Override
    public String name() {
        return "tiff";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".tif", ".tiff", ".gtiff");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return TiffInput.begins(FileBytes.first(store, 4));
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        try (SeekableByteChannel in = store.open("")) {
            List<String> keys =
                    List.copyOf(pages(TiffInput.open(in, store.name())).keySet());
            return keys.size() == 1 ? List.of("") : keys;
        }
    }

    private static Map<String, TiffInput.Directory> pages(TiffInput in) throws IOException {
        Map<String, TiffInput.Directory> pages = new LinkedHashMap<>();
        int page = -1;
        int others = 0;
        for (TiffInput.Directory directory : in.directories()) {
            long type = in.integer(directory, SUBFILE_TYPE, 0);
            if (page < 0 || (type & (OVERVIEW | MASK)) == 0) {
                page++;
                others = 0;
                pages.put(Integer.toString(page), directory);
            } else {
                others++;
                pages.put(page + ((type & MASK) == 0 ? "/overview-" : "/mask-") + others, directory);
            }
            long[] below = in.integers(directory, SUBDIRECTORIES);
            if (below.length > MOST_SUBDIRECTORIES) {
                throw in.damaged("a page has " + below.length + " others below it");
            }
            for (long position : below) {
                others++;
                pages.put(page + "/overview-" + others, in.directory(position));
            }
        }
        return pages;
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        try (SeekableByteChannel in = store.open("")) {
            TiffInput input = TiffInput.open(in, store.name());
            Map<String, TiffInput.Directory> pages = pages(input);
            TiffInput.Directory directory = pages.get(key.isEmpty() && pages.size() == 1 ? "0" : key);
            if (directory == null) {
                throw TensorFormatException.noArray(store.name(), key, pages.keySet());
            }
            String name = key.isEmpty() ? store.name() : store.name() + ":" + key;
            TiffPage page = TiffPage.of(input, directory, name);
            boolean together = isTogether(page, in.size());
            BlockReader bits = together
                    ? new RawArray(
                            store,
                            "",
                            page.offsets()[0],
                            page.bits(),
                            page.order() == ByteOrder.BIG_ENDIAN,
                            page.shape())
                    : new TiffTiles(store, name, directory.position(), page);
            UnsignedArray unsigned = page.unsigned() ? new UnsignedArray(bits, page.bits()) : null;
            return new StoredArray(
                    key,
                    unsigned == null ? page.bits() : unsigned.dtype(),
                    page.shape(),
                    together ? StoredArray.anyBox(page.shape().rank()) : page.tile(),
                    List.of(),
                    page.attributes(),
                    encoding(page),
                    unsigned == null ? bits : unsigned);
        }
    }

    private static String encoding(TiffPage page) {
        String order = page.order() == ByteOrder.BIG_ENDIAN ? "big-endian" : "little-endian";
        return page.compression() == TiffCompression.NONE
                ? order
                : order + ", " + page.compression().label();
    }

    /** Whether the elements lie one after the other in the file, as in strips that follow each other. */
    private static boolean isTogether(TiffPage page, long fileBytes) {
        boolean plain =
                page.compression() == TiffCompression.NONE && page.predictor() == 1 && page.cut() && !page.separate();
        long at = page.offsets()[0];
        long rowBytes =
                page.bits().sizeBytes(page.shape().numel()) / page.shape().size(0);
        for (int i = 0; plain && i < page.offsets().length; i++) {
            long bytes = page.rows(i * page.tile().size(0)) * rowBytes;
            plain = at > 0 && page.offsets()[i] == at && page.byteCounts()[i] >= bytes && bytes <= fileBytes - at;
            at += bytes;
        }
        return plain;
    }

    @Override
    public FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        if (!target.key().isEmpty()) {
            throw TensorFormatException.cannotWrite(target.toString(), "a TIFF file holds one array, without a name");
        }
        return TiffWriter.file(target.path(), dtype, shape);
    }
}
