package io.github.broadloom.tools.picture;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes gray pictures as a GIF that runs for ever, with the JDK's own writer. */
public final class AnimatedGif {
    private static final String FILE_FORMAT = "javax_imageio_gif_stream_1.0";
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    /** Fewer levels than 256: the eye sees no bands in terrain, and the file is about half the size. */
    private static final int LEVELS = 64;

    /** Every reader of GIFs knows this extension; three bytes: "loop", then how often, 0 for ever. */
    private static final byte[] LOOP_FOR_EVER = {1, 0, 0};

    private static final IndexColorModel GRAYS = grays();

    private AnimatedGif() {}

    /**
     * Writes the frames, all of one size, each shown for the given time.
     *
     * @param millisPerFrame rounded to the hundredths of a second that the format counts in
     */
    public static void write(List<GrayImage> frames, int millisPerFrame, OutputStream out) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        // Not ImageIO's cache in a file: where the disk is full, closing it fails once more, on a thread of its own.
        try (ImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.prepareWriteSequence(palette(writer));
            boolean first = true;
            for (GrayImage frame : frames) {
                BufferedImage image = indexed(frame);
                writer.writeToSequence(new IIOImage(image, null, metadata(writer, image, millisPerFrame, first)), null);
                first = false;
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    private static IndexColorModel grays() {
        byte[] levels = new byte[LEVELS];
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = (byte) Math.round(i * 255.0 / (LEVELS - 1));
        }
        return new IndexColorModel(6, LEVELS, levels, levels, levels);
    }

    private static BufferedImage indexed(GrayImage frame) {
        BufferedImage image = new BufferedImage(frame.width(), frame.height(), BufferedImage.TYPE_BYTE_INDEXED, GRAYS);
        int[] row = new int[frame.width()];
        for (int y = 0; y < frame.height(); y++) {
            for (int x = 0; x < row.length; x++) {
                row[x] = Math.round(frame.level(x, y) * (LEVELS - 1) / 255f);
            }
            image.getRaster().setPixels(0, y, row.length, 1, row);
        }
        return image;
    }

    /** One table of colours for all frames; without it the writer puts the colours of the early web there. */
    private static IIOMetadata palette(ImageWriter writer) throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultStreamMetadata(null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FILE_FORMAT);
        IIOMetadataNode table = child(root, "GlobalColorTable");
        while (table.hasChildNodes()) {
            table.removeChild(table.getFirstChild());
        }
        table.setAttribute("sizeOfGlobalColorTable", Integer.toString(LEVELS));
        table.setAttribute("backgroundColorIndex", "0");
        table.setAttribute("sortFlag", "FALSE");
        for (int i = 0; i < LEVELS; i++) {
            IIOMetadataNode entry = new IIOMetadataNode("ColorTableEntry");
            entry.setAttribute("index", Integer.toString(i));
            entry.setAttribute("red", Integer.toString(GRAYS.getRed(i)));
            entry.setAttribute("green", Integer.toString(GRAYS.getGreen(i)));
            entry.setAttribute("blue", Integer.toString(GRAYS.getBlue(i)));
            table.appendChild(entry);
        }
        metadata.setFromTree(FILE_FORMAT, root);
        return metadata;
    }

    private static IIOMetadata metadata(ImageWriter writer, BufferedImage image, int millis, boolean first)
            throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(
                // createFromRenderedImage would forget the palette
                new ImageTypeSpecifier(image.getColorModel(), image.getSampleModel()), null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("transparentColorIndex", "0");
        control.setAttribute("delayTime", Integer.toString(Math.max(2, Math.round(millis / 10f))));
        child(root, "ImageDescriptor").setAttribute("interlaceFlag", "FALSE");
        if (first) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(LOOP_FOR_EVER);
            child(root, "ApplicationExtensions").appendChild(loop);
        }
        metadata.setFromTree(FORMAT, root);
        return metadata;
    }

    private static IIOMetadataNode child(IIOMetadataNode parent, String name) {
        for (int i = 0; i < parent.getLength(); i++) {
            if (parent.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) parent.item(i);
            }
        }
        IIOMetadataNode child = new IIOMetadataNode(name);
        parent.appendChild(child);
        return child;
    }
}
