package io.github.broadloom.pictures;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.awt.color.CMMException;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.lang.ref.Reference;
import java.nio.channels.SeekableByteChannel;
import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import org.jspecify.annotations.Nullable;

/**
 * What the header of a PNG or JPEG file says of its pixels. JDK's readers decode them.
 *
 * @param shape {@code [h, w, c]}: one channel of grey, three of colours, and one more where there is transparency; a palette's colours stand for its numbers
 * @param dtype uint8; int32 of samples of 16 bits
 */
record Picture(Shape shape, DType dtype) {
    /** As many as a picture of 16,000 by 16,000 pixels with a channel of grey: what a header claims beyond that is refused. */
    static final long MOST_ELEMENTS = 1L << 28;
    /** What zlib can make of a byte, which is what PNG packs pixels with. */
    private static final long MOST_OF_ONE = 1032;

    /** JPEG takes a bit at least for a block of eight by eight pixels. */
    private static final long MOST_PIXELS_OF_ONE = 512;

    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int PNG_COLOUR_TYPE = 25;
    private static final int PNG_PALETTE = 3;
    static final int HEADER_BYTES = 26;

    /** The name of the format that a file begins as; null where it is none of these. */
    static @Nullable String format(byte[] start) {
        boolean png = start.length >= PNG.length;
        for (int i = 0; png && i < PNG.length; i++) {
            png = start[i] == PNG[i];
        }
        boolean jpeg =
                start.length >= 3 && start[0] == (byte) 0xff && start[1] == (byte) 0xd8 && start[2] == (byte) 0xff;
        return png ? "png" : jpeg ? "jpeg" : null;
    }

    /** What is done with a reader that has the file before it. */
    private interface Use<T> {
        T with(ImageReader reader, boolean palette, long fileBytes) throws IOException;
    }

    /** Reads the header alone. */
    static Picture header(Store store, String key) throws IOException {
        return use(store, key, (reader, palette, bytes) -> header(reader, palette, bytes, store.name(key)));
    }

    /** Whatever JDK's readers throw becomes one sentence. */
    private static <T> T use(Store store, String key, Use<T> use) throws IOException {
        String name = store.name(key);
        try (SeekableByteChannel in = store.open(key)) {
            byte[] start = FileBytes.upTo(in, 0, HEADER_BYTES);
            String format = format(start);
            if (format == null) {
                throw TensorFormatException.cannotRead(name, "it begins neither as a PNG nor as a JPEG file does");
            }
            boolean palette =
                    format.equals("png") && start.length > PNG_COLOUR_TYPE && start[PNG_COLOUR_TYPE] == PNG_PALETTE;
            ImageReader reader = ImageIO.getImageReadersByFormatName(format).next();
            try (ChannelImageInput input = new ChannelImageInput(in)) {
                reader.setInput(input, true, true);
                return use.with(reader, palette, in.size());
            } finally {
                reader.dispose();
            }
        } catch (IIOException
                | EOFException
                | UTFDataFormatException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | NullPointerException
                | ArithmeticException
                | ClassCastException
                | CMMException e) {
            // Other exceptions are those of the file system.
            throw TensorFormatException.cannotRead(name, undecodable(String.valueOf(e.getMessage())), e);
        }
    }

    private static String undecodable(String reason) {
        return "its pixels cannot be decoded (" + TensorFormatException.quoted(reason) + ")";
    }

    private static Picture header(ImageReader reader, boolean palette, long fileBytes, String name) throws IOException {
        long width = reader.getWidth(0);
        long height = reader.getHeight(0);
        ImageTypeSpecifier type = reader.getRawImageType(0);
        if (type == null) {
            throw TensorFormatException.cannotRead(name, "its colours are of a kind that is not known, as CMYK is");
        }
        int depth = type.getSampleModel().getDataType();
        int channels = palette ? type.getColorModel().hasAlpha() ? 4 : 3 : type.getNumBands();
        DType dtype = depth == DataBuffer.TYPE_USHORT ? DType.INT32 : DType.UINT8;
        boolean known = depth == DataBuffer.TYPE_BYTE || depth == DataBuffer.TYPE_USHORT;
        if (!known || width < 1 || height < 1) {
            throw TensorFormatException.cannotRead(
                    name, undecodable(width + " by " + height + " pixels of type " + depth));
        }
        boolean png = reader.getFormatName().equalsIgnoreCase("png");
        long packed = png
                ? width * height * type.getColorModel().getPixelSize() / Byte.SIZE / MOST_OF_ONE
                : width * height / MOST_PIXELS_OF_ONE;
        if (width > MOST_ELEMENTS / height / channels || packed > fileBytes) {
            throw TensorFormatException.cannotRead(
                    name,
                    "it claims " + width + " by " + height + " pixels of " + channels + " channels; more than "
                            + MOST_ELEMENTS + " samples, or than its " + fileBytes + " bytes can hold, are refused");
        }
        return new Picture(Shape.of(height, width, channels), dtype);
    }

    /** The pixels of a picture that has this header still. */
    Tensor read(Store store, String key) throws IOException {
        String name = store.name(key);
        return use(store, key, (reader, palette, bytes) -> {
            Picture now = header(reader, palette, bytes, name);
            if (!now.equals(this)) {
                throw TensorFormatException.cannotRead(
                        name,
                        "it has " + now.dtype() + " " + now.shape() + " where " + dtype + " " + shape + " belong");
            }
            StringBuilder warnings = new StringBuilder();
            reader.addIIOReadWarningListener((source, warning) -> warnings.append(warning));
            BufferedImage image = reader.read(0);
            // JDK's reader of JPEG makes up what is missing, and says so.
            if (warnings.indexOf("Premature end") >= 0 || warnings.indexOf("Corrupt") >= 0) {
                throw TensorFormatException.cannotRead(name, undecodable(warnings.toString()));
            }
            boolean fits = image.getHeight() == shape.size(0)
                    && image.getWidth() == shape.size(1)
                    && (palette || image.getRaster().getNumBands() == shape.size(2));
            if (!fits) {
                throw TensorFormatException.cannotRead(name, undecodable("other pixels than its header tells of"));
            }
            return pixels(image, palette);
        });
    }

    private Tensor pixels(BufferedImage image, boolean palette) {
        Tensor tensor = Tensors.empty(dtype, shape);
        int channels = (int) shape.size(2);
        int samples = image.getWidth() * channels;
        int[] row = new int[samples];
        int[] colours = new int[image.getWidth()];
        long at = tensor.address();
        boolean indexed = image.getColorModel() instanceof IndexColorModel;
        for (int y = 0; y < image.getHeight(); y++) {
            if (indexed) {
                // Of few bits of grey, too, which JDK has as a palette.
                image.getRGB(0, y, colours.length, 1, colours, 0, colours.length);
                for (int i = 0; i < samples; i++) {
                    row[i] = colours[i / channels] >>> (palette ? SHIFTS[i % channels] : 0) & 0xff;
                }
            } else {
                image.getRaster().getPixels(0, y, colours.length, 1, row);
            }
            for (int i = 0; i < samples; i++, at += dtype.bytes()) {
                if (dtype == DType.UINT8) {
                    RawMemory.putByte(at, (byte) row[i]);
                } else {
                    RawMemory.putInt(at, row[i]);
                }
            }
        }
        Reference.reachabilityFence(tensor);
        return tensor;
    }

    /** Where a packed pixel has red, green, blue and its opacity. */
    private static final int[] SHIFTS = {16, 8, 0, 24};
}
