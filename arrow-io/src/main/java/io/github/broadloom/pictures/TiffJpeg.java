package io.github.broadloom.pictures;

import io.github.broadloom.shape.Shape;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Tiles that are packed by JPEG, whose tables the page has once for all of them.
 *
 * @param tables a JPEG stream with nothing but tables; empty where each tile has its own
 * @param luminance whether the samples are luminance and colour differences, of which colours are made
 */
record TiffJpeg(byte[] tables, boolean luminance) {
    /** Of the markers for a stream's beginning and end. */
    private static final int MARKER_BYTES = 2;

    /** The samples of a tile, pixel by pixel; null where the stream is damaged, or another picture. */
    byte @Nullable [] unpack(byte[] packed, Shape tile) {
        if (packed.length < MARKER_BYTES) {
            return null;
        }
        ImageReader reader = ImageIO.getImageReadersByFormatName("jpeg").next();
        try (MemoryCacheImageInputStream in =
                new MemoryCacheImageInputStream(new ByteArrayInputStream(whole(packed)))) {
            reader.setInput(in, true, true);
            if (reader.getHeight(0) != tile.size(0) || reader.getWidth(0) != tile.size(1)) {
                return null;
            }
            StringBuilder warnings = new StringBuilder();
            reader.addIIOReadWarningListener((source, warning) -> warnings.append(warning));
            BufferedImage image = reader.read(0);
            boolean made = warnings.indexOf("Premature end") >= 0 || warnings.indexOf("Corrupt") >= 0;
            return made ? null : samples(image, tile);
        } catch (IOException | RuntimeException e) {
            return null; // of damage the reader throws anything
        } finally {
            reader.dispose();
        }
    }

    /** The tables and the tile as one stream, with Adobe's marker in front, which tells the reader what TIFF's tags tell. */
    private byte[] whole(byte[] packed) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(new byte[] {
            (byte) 0xff,
            (byte) 0xd8,
            (byte) 0xff,
            (byte) 0xee,
            0,
            14,
            'A',
            'd',
            'o',
            'b',
            'e',
            0,
            100,
            0,
            0,
            0,
            0,
            (byte) (luminance ? 1 : 0)
        });
        if (tables.length > 2 * MARKER_BYTES) {
            stream.write(tables, MARKER_BYTES, tables.length - 2 * MARKER_BYTES);
        }
        stream.write(packed, MARKER_BYTES, packed.length - MARKER_BYTES);
        return stream.toByteArray();
    }

    private static byte @Nullable [] samples(BufferedImage image, Shape tile) {
        int channels = tile.rank() > 2 ? (int) tile.size(2) : 1;
        if (image.getRaster().getNumBands() != channels
                || image.getHeight() != tile.size(0)
                || image.getWidth() != tile.size(1)) {
            return null;
        }
        byte[] samples = new byte[(int) tile.numel()];
        int[] row = new int[image.getWidth() * channels];
        for (int y = 0; y < image.getHeight(); y++) {
            image.getRaster().getPixels(0, y, image.getWidth(), 1, row);
            for (int i = 0; i < row.length; i++) {
                samples[y * row.length + i] = (byte) row[i];
            }
        }
        return samples;
    }
}
