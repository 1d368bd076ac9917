package io.github.broadloom.tools.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrayImageTest {

    @Test
    void smallSourcesKeepTheirSize() {
        GrayImage image = GrayImage.reduced(2, 3, 100, (row, column) -> (row * 3 + column) / 5.0);
        assertThat(image.width()).isEqualTo(3);
        assertThat(image.height()).isEqualTo(2);
        assertThat(image.level(0, 0)).isZero();
        assertThat(image.level(1, 0)).isEqualTo(51);
        assertThat(image.level(2, 1)).isEqualTo(255);
    }

    @Test
    void largeSourcesAreReducedToTheLongestSide() {
        GrayImage image = GrayImage.reduced(1000, 250, 100, (row, column) -> 0.5);
        assertThat(image.height()).isEqualTo(100);
        assertThat(image.width()).isEqualTo(25);
    }

    @Test
    void reducingKeepsTheMeanAndShowsNoPattern() {
        // Five cells in four pixels: whole-cell steps would average one pixel over two cells and the others over one.
        GrayImage stripes = GrayImage.reduced(500, 500, 400, (row, column) -> column % 5 == 0 ? 1 : 0.5);
        assertThat(stripes.level(0, 0)).isEqualTo(Math.round(255 * (0.8 * 1 + 0.2 * 0.5)));
        GrayImage even = GrayImage.reduced(500, 500, 400, (row, column) -> 0.6);
        for (int x = 0; x < 400; x++) {
            assertThat(even.level(x, 17)).isEqualTo(153);
        }
    }

    @Test
    void brightnessOutsideTheRangeIsCut() {
        GrayImage image = GrayImage.reduced(1, 3, 3, (row, column) -> column == 0 ? -4 : column == 1 ? 7 : Double.NaN);
        assertThat(image.level(0, 0)).isZero();
        assertThat(image.level(1, 0)).isEqualTo(255);
        assertThat(image.level(2, 0)).isZero();
    }
}
