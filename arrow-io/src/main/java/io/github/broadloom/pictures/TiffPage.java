package io.github.broadloom.pictures;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One picture of a TIFF file: where its tiles are, and what they are made of. Strips are tiles as wide as the picture.
 *
 * @param bits the dtype of the samples' bits, with a sign where they are integers wider than a byte
 * @param unsigned whether they are integers without one
 * @param shape {@code [h, w]}, or {@code [h, w, c]} where a pixel has several samples
 * @param tile the shape of a whole one
 * @param separate whether each channel has tiles of its own, all those of the first one first
 * @param cut whether tiles at the lower end have only the rows that the picture has, as strips do
 * @param jpeg what its tiles have in common where they are packed by JPEG
 * @param predictor 1 none, 2 differences of neighbours, 3 those of the bytes of floating numbers
 */
record TiffPage(
        DType bits,
        boolean unsigned,
        ByteOrder order,
        Shape shape,
        Shape tile,
        boolean separate,
        boolean cut,
        TiffCompression compression,
        TiffJpeg jpeg,
        int predictor,
        long[] offsets,
        long[] byteCounts,
        Map<String, Object> attributes) {
    static final int WIDTH = 256;
    static final int HEIGHT = 257;
    static final int BITS = 258;
    static final int COMPRESSION = 259;
    static final int PHOTOMETRIC = 262;
    private static final int YCBCR = 6;
    private static final int FILL_ORDER = 266;
    static final int STRIP_OFFSETS = 273;
    static final int SAMPLES = 277;
    static final int STRIP_ROWS = 278;
    static final int STRIP_BYTES = 279;
    static final int PLANAR = 284;
    private static final int PREDICTOR = 317;
    private static final int TILE_WIDTH = 322;
    private static final int TILE_HEIGHT = 323;
    private static final int TILE_OFFSETS = 324;
    private static final int TILE_BYTES = 325;
    static final int EXTRA_SAMPLES = 338;
    static final int SAMPLE_FORMAT = 339;
    private static final int JPEG_TABLES = 347;

    private static final int MOST_TILE_BYTES = Integer.MAX_VALUE - 64;

    private static final Map<Integer, String> ATTRIBUTES = attributesByTag();

    private static Map<Integer, String> attributesByTag() {
        Map<Integer, String> names = new LinkedHashMap<>();
        names.put(270, "ImageDescription");
        names.put(33550, "ModelPixelScale");
        names.put(33922, "ModelTiepoint");
        names.put(34264, "ModelTransformation");
        names.put(34735, "GeoKeyDirectory");
        names.put(34736, "GeoDoubleParams");
        names.put(34737, "GeoAsciiParams");
        names.put(42112, "GDAL_METADATA");
        names.put(42113, "GDAL_NODATA");
        return names;
    }

    static TiffPage of(TiffInput in, TiffInput.Directory directory, String name) throws IOException {
        return new Reading(in, directory, name).page();
    }

    /** How many tiles lie one below the other, and side by side. */
    long tilesDown() {
        return tiles(0);
    }

    long tilesAcross() {
        return tiles(1);
    }

    private long tiles(int dim) {
        return (shape.size(dim) + tile.size(dim) - 1) / tile.size(dim);
    }

    /** The rows that a tile has in the file, by the number of its first one. */
    long rows(long first) {
        return cut ? Math.min(tile.size(0), shape.size(0) - first) : tile.size(0);
    }

    private record Reading(TiffInput in, TiffInput.Directory directory, String name) {
        TiffPage page() throws IOException {
            long width = in.integer(directory, WIDTH, 0);
            long height = in.integer(directory, HEIGHT, 0);
            long samples = in.integer(directory, SAMPLES, 1);
            if (width < 1 || height < 1 || samples < 1) {
                throw in.damaged("a page of " + width + " by " + height + " pixels has " + samples + " samples each");
            }
            DType bits = bits();
            boolean unsigned = isUnsigned() && bits != DType.UINT8;
            Shape shape = ClaimedShape.of(
                    samples == 1 ? new long[] {height, width} : new long[] {height, width, samples}, bits, name);
            boolean separate = samples > 1 && in.integer(directory, PLANAR, 1) == 2;
            boolean tiled = directory.fields().containsKey(TILE_OFFSETS);
            Shape tile = tile(shape, tiled, separate, bits);
            TiffPage page = new TiffPage(
                    bits,
                    unsigned,
                    in.order(),
                    shape,
                    tile,
                    separate,
                    !tiled,
                    compression(),
                    jpeg(bits),
                    predictor(bits),
                    in.integers(directory, tiled ? TILE_OFFSETS : STRIP_OFFSETS),
                    in.integers(directory, tiled ? TILE_BYTES : STRIP_BYTES),
                    attributes());
            checkTiles(page, separate ? samples : 1);
            return page;
        }

        private boolean isUnsigned() throws IOException {
            return in.integer(directory, SAMPLE_FORMAT, 1) == 1;
        }

        private DType bits() throws IOException {
            long[] bits = in.integers(directory, BITS);
            long[] formats = in.integers(directory, SAMPLE_FORMAT);
            long width = bits.length == 0 ? 1 : bits[0];
            long format = formats.length == 0 ? 1 : formats[0];
            boolean equal = Arrays.stream(bits).allMatch(other -> other == width)
                    && Arrays.stream(formats).allMatch(other -> other == format);
            for (DType dtype : DType.values()) {
                boolean same = dtype.bytes() * (long) Byte.SIZE == width
                        && dtype.numpyCode().isPresent();
                boolean fits = format == 3
                        ? dtype.isFloatingPoint()
                        : dtype.kind() == DType.Kind.INTEGER && dtype.isSigned() == (format == 2 || width > Byte.SIZE);
                if (equal && same && fits && format >= 1 && format <= 3 && !(format == 1 && width == 64)) {
                    return dtype;
                }
            }
            throw TensorFormatException.cannotRead(
                    name,
                    "its samples have " + Arrays.toString(bits.length == 0 ? new long[] {1} : bits) + " bits in format "
                            + format
                            + ", for which there is no dtype; integers of 8, 16 or 32 bits and floating numbers are"
                            + " read");
        }

        private Shape tile(Shape shape, boolean tiled, boolean separate, DType bits) throws IOException {
            long[] sizes = shape.toArray();
            if (tiled) {
                sizes[0] = in.integer(directory, TILE_HEIGHT, 0);
                sizes[1] = in.integer(directory, TILE_WIDTH, 0);
            } else {
                sizes[0] = Math.min(sizes[0], in.integer(directory, STRIP_ROWS, sizes[0]));
            }
            if (sizes[0] < 1 || sizes[1] < 1) {
                throw in.damaged("its tiles are " + sizes[1] + " by " + sizes[0] + " pixels");
            }
            if (separate) {
                sizes[2] = 1;
            }
            Shape tile = ClaimedShape.of(sizes, bits, name);
            if (bits.sizeBytes(tile.numel()) > MOST_TILE_BYTES && compression() != TiffCompression.NONE) {
                throw TensorFormatException.cannotRead(
                        name, "its tiles of " + tile + " have more than 2 GiB each, which one read does not take");
            }
            return tile;
        }

        private TiffCompression compression() throws IOException {
            long fillOrder = in.integer(directory, FILL_ORDER, 1);
            if (fillOrder != 1) {
                throw TensorFormatException.cannotRead(name, "its bytes have their bits in the other order");
            }
            return TiffCompression.of(in.integer(directory, COMPRESSION, 1), name);
        }

        private TiffJpeg jpeg(DType bits) throws IOException {
            if (compression() == TiffCompression.JPEG && bits != DType.UINT8) {
                throw TensorFormatException.cannotRead(name, "JPEG packs no " + bits + " samples that are known here");
            }
            TiffInput.Field tables = directory.fields().get(JPEG_TABLES);
            return new TiffJpeg(
                    tables == null ? new byte[0] : in.bytes(tables), in.integer(directory, PHOTOMETRIC, 1) == YCBCR);
        }

        private int predictor(DType bits) throws IOException {
            long predictor = in.integer(directory, PREDICTOR, 1);
            boolean known = predictor == 1
                    || predictor == 2 && !bits.isFloatingPoint()
                    || predictor == 3 && bits.isFloatingPoint();
            if (!known) {
                throw TensorFormatException.cannotRead(
                        name, "predictor " + predictor + " of " + bits + " samples is not known");
            }
            return (int) predictor;
        }

        private void checkTiles(TiffPage page, long planes) throws IOException {
            double expected = (double) page.tilesDown() * page.tilesAcross() * planes;
            if (page.offsets().length != expected || page.byteCounts().length != expected) {
                throw in.damaged("it has " + page.offsets().length + " tiles or strips of " + page.tile() + " and "
                        + page.byteCounts().length + " lengths of them for " + page.shape());
            }
        }

        private Map<String, Object> attributes() throws IOException {
            Map<String, Object> attributes = new LinkedHashMap<>();
            for (Map.Entry<Integer, String> known : ATTRIBUTES.entrySet()) {
                TiffInput.Field field = directory.fields().get(known.getKey());
                if (field != null) {
                    attributes.put(known.getValue(), in.value(field));
                }
            }
            return attributes;
        }
    }
}
