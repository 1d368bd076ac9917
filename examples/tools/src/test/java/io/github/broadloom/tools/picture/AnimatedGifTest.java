package io.github.broadloom.tools.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.Test;

class AnimatedGifTest {

    @Test
    void everyFrameComesBackInItsGrays() throws IOException {
        List<GrayImage> frames = List.of(ramp(false), ramp(true));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AnimatedGif.write(frames, Palette.GRAY, 120, out);

        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        reader.setInput(ImageIO.createImageInputStream(new ByteArrayInputStream(out.toByteArray())));
        assertThat(reader.getNumImages(true)).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            BufferedImage image = reader.read(i);
            for (int x = 0; x < 256; x++) {
                int rgb = image.getRGB(x, 1);
                int red = (rgb >> 16) & 0xff;
                assertThat(rgb & 0xffffff).as("gray").isEqualTo(red * 0x010101);
                assertThat(red).isCloseTo(frames.get(i).level(x, 1), offset(3));
            }
        }
    }

    @Test
    void itRunsForEverAtTheGivenPace() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AnimatedGif.write(List.of(ramp(false), ramp(true)), Palette.GRAY, 120, out);
        String bytes = out.toString(StandardCharsets.ISO_8859_1);
        assertThat(bytes).startsWith("GIF89a").contains("NETSCAPE2.0\u0003\u0001\u0000\u0000");
        // Graphic control extension: 4 bytes, flags, 12 hundredths of a second in little endian.
        assertThat(bytes).contains("\u0021\u00f9\u0004\u0000\u000c\u0000");
    }

    private static GrayImage ramp(boolean down) {
        return GrayImage.reduced(4, 256, 256, (row, column) -> (down ? 255 - column : column) / 255.0);
    }
}
