package io.github.broadloom.tools.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ContactSheetTest {
    private static final GrayImage BLACK = GrayImage.reduced(40, 60, 60, (row, column) -> 0);

    @Test
    void everyPictureStandsOnTheSheetWhole() throws IOException {
        BufferedImage sheet = write(7);
        long dark = 0;
        for (int y = 0; y < sheet.getHeight(); y++) {
            for (int x = 0; x < sheet.getWidth(); x++) {
                dark += (sheet.getRaster().getSample(x, y, 0) == 0) ? 1 : 0;
            }
        }
        assertThat(dark).isEqualTo(7L * 40 * 60);
    }

    @Test
    void theSheetIsAboutAsWideAsItIsHigh() throws IOException {
        for (int pictures : new int[] {4, 12, 16, 36}) {
            BufferedImage sheet = write(pictures);
            assertThat((double) sheet.getWidth() / sheet.getHeight())
                    .as("%s pictures", pictures)
                    .isBetween(0.6, 2.2);
        }
    }

    @Test
    void everyPictureNeedsALabel() {
        assertThatThrownBy(() -> new ContactSheet("t", "s", List.of(BLACK), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static BufferedImage write(int pictures) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // No texts, whose pixels would be counted: a JDK without fonts leaves them out too.
        new ContactSheet("", "", Collections.nCopies(pictures, BLACK), Collections.nCopies(pictures, "")).writePng(out);
        return ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
    }
}
