package io.github.broadloom.tools.picture;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes pictures of few colours as a GIF that runs for ever, with the JDK's own writer. */
public final class AnimatedGif {
    private static final String FILE_FORMAT = "javax_imageio_gif_stream_1.0";
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    /** Fewer levels than 256: the eye sees no bands in terrain, and the file is about half the size. */
    private static final int BITS = 6;

    private static final int LEVELS = 1 << BITS;

    /** Every reader of GIFs knows this extension; three bytes: "loop", then how often, 0 for ever. */
    private static final byte[] LOOP_FOR_EVER = {1, 0, 0};

    private AnimatedGif() {}

    /** Writes the frames, all of one size, each shown for the given time, rounded to the hundredths of a second that the format counts in. */
    public static void write(List<GrayImage> frames, Palette palette, int millisPerFrame, OutputStream out)
            throws IOException {
        IndexColorModel colours = palette.colours(BITS);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        // Not ImageIO's cache in a file: where the disk is full, closing it fails once more, on a thread of its own.
        try (ImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.prepareWriteSequence(palette(writer, colours));
            boolean first = true;
            for (GrayImage frame : frames) {
                BufferedImage image = indexed(frame, colours);
                writer.writeToSequence(new IIOImage(image, null, metadata(writer, image, millisPerFrame, first)), null);
                first = false;
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    private static BufferedImage indexed(GrayImage frame, IndexColorModel colours) {
        BufferedImage image =
                new BufferedImage(frame.width(), frame.height(), BufferedImage.TYPE_BYTE_INDEXED, colours);
        byte[] pixels = frame.pixels().clone();
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) Math.round((pixels[i] & 0xff) * (LEVELS - 1) / 255f);
        }
        image.getRaster().setDataElements(0, 0, frame.width(), frame.height(), pixels);
        return image;
    }

    /** One table of colours for all frames; without it the writer puts the colours of the early web there. */
    private static IIOMetadata palette(ImageWriter writer, IndexColorModel colours) throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultStreamMetadata(null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FILE_FORMAT);
        IIOMetadataNode table = child(root, "GlobalColorTable");
        while (table.hasChildNodes()) {
            table.removeChild(table.getFirstChild());
        }
        set(table, Map.of("sizeOfGlobalColorTable", LEVELS, "backgroundColorIndex", 0, "sortFlag", "FALSE"));
        for (int i = 0; i < LEVELS; i++) {
            IIOMetadataNode entry = new IIOMetadataNode("ColorTableEntry");
            set(
                    entry,
                    Map.of(
                            "index",
                            i,
                            "red",
                            colours.getRed(i),
                            "green",
                            colours.getGreen(i),
                            "blue",
                            colours.getBlue(i)));
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
        set(
                child(root, "GraphicControlExtension"),
                Map.of(
                        "disposalMethod", "none",
                        "userInputFlag", "FALSE",
                        "transparentColorFlag", "FALSE",
                        "transparentColorIndex", 0,
                        "delayTime", Math.max(2, Math.round(millis / 10f))));
        set(child(root, "ImageDescriptor"), Map.of("interlaceFlag", "FALSE"));
        if (first) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            set(loop, Map.of("applicationID", "NETSCAPE", "authenticationCode", "2.0"));
            loop.setUserObject(LOOP_FOR_EVER);
            child(root, "ApplicationExtensions").appendChild(loop);
        }
        metadata.setFromTree(FORMAT, root);
        return metadata;
    }

    private static void set(IIOMetadataNode node, Map<String, Object> attributes) {
        attributes.forEach((name, value) -> node.setAttribute(name, value.toString()));
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
