package io.github.broadloom.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.Damage;
import io.github.broadloom.format.FormatFiles;
import io.github.broadloom.format.Formula;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.MemoryStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PictureTest {
    private static final PictureFormat FORMAT = new PictureFormat();

    private static LocalStore store(String name) {
        return FormatFiles.store("pictures/" + name);
    }

    @ParameterizedTest
    @CsvSource({
        "grey.png, 1, uint8",
        "grey-alpha.png, 2, uint8",
        "rgb.png, 3, uint8",
        "rgba.png, 4, uint8",
        "grey16.png, 1, uint16"
    })
    void picturesAreTheirPixels(String name, int channels, String type) throws IOException {
        assertThat(ArrayFormats.of(store(name))).get().isInstanceOf(PictureFormat.class);
        StoredArray array = FORMAT.open(store(name), "");
        assertThat(array.shape()).isEqualTo(Shape.of(12, 10, channels));
        assertThat(array.dtype()).isEqualTo(Formula.readAs(type));
        Formula.assertHolds(array, type);
    }

    @Test
    void aPaletteIsItsColours() throws IOException {
        StoredArray array = FORMAT.open(store("palette.png"), "");
        assertThat(array.shape()).isEqualTo(Shape.of(12, 10, 3));
        Formula.assertHolds(array, i -> i / 3 % 5 * new int[] {1, 10, 50}[(int) (i % 3)]);
    }

    @Test
    void jpegIsNearItsPixels() throws IOException {
        StoredArray colours = FORMAT.open(store("flat.jpg"), "");
        assertThat(colours.shape()).isEqualTo(Shape.of(16, 24, 3));
        Tensor read = colours.reader().read(Box.whole(colours.shape()));
        for (int c = 0; c < 3; c++) {
            assertThat(read.getDouble(7, 11, c))
                    .isBetween(new int[] {200, 100, 50}[c] - 2.0, new int[] {200, 100, 50}[c] + 2.0);
        }
        StoredArray grey = FORMAT.open(store("grey.jpg"), "");
        assertThat(grey.shape()).isEqualTo(Shape.of(16, 24, 1));
        assertThat(grey.reader().read(Box.whole(grey.shape())).getDouble(3, 3, 0))
                .isBetween(76.0, 78.0);
    }

    @Test
    void aFolderOfEqualPicturesIsOneArray() throws IOException {
        LocalStore store = store("folder");
        assertThat(ArrayFormats.of(store)).get().isInstanceOf(PictureFormat.class);
        StoredArray array = FORMAT.open(store, "");
        assertThat(array.shape()).isEqualTo(Shape.of(4, 12, 10, 3));
        assertThat(array.chunk()).isEqualTo(Shape.of(1, 12, 10, 3));
        Formula.assertHolds(array, i -> (Formula.value("uint8", i % 360) + (int) (i / 360)) % 256);
        BlockReader rows = array.reader().ofRows(2, 4);
        Tensor read = rows.read(Box.whole(array.shape()).with(0, 3, 4));
        assertThat(read.getDouble(0, 0, 0, 1)).isEqualTo((Formula.value("uint8", 1) + 3) % 256);
    }

    @Test
    void whatCannotBeReadIsSaid() {
        assertThatThrownBy(() -> FORMAT.open(store("unequal"), ""))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("b.png: it has uint8 [12, 11, 3] where a.png has uint8 [12, 10, 3]");
        assertThatThrownBy(() -> FORMAT.open(store("cmyk.jpg"), ""))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("its colours are of a kind that is not known, as CMYK is");
        assertThatThrownBy(() -> FORMAT.open(store("one.tif"), ""))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it begins neither as a PNG nor as a JPEG file does");
    }

    @Test
    void aHeaderThatClaimsToBeHugeTakesNoMemory() throws IOException {
        byte[] bytes = Files.readAllBytes(FormatFiles.path("pictures/rgb.png"));
        ByteBuffer header = ByteBuffer.wrap(bytes);
        header.putInt(16, 50_000).putInt(20, 50_000);
        CRC32 crc = new CRC32();
        crc.update(bytes, 12, 17);
        header.putInt(29, (int) crc.getValue());
        assertThatThrownBy(() -> FORMAT.open(new MemoryStore("bomb.png", bytes), ""))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it claims 50000 by 50000 pixels of 3 channels");
    }

    @ParameterizedTest
    @CsvSource({"flat.jpg, 10", "rgb.png, 40"})
    void aShortenedPictureIsSaidToBeDamaged(String name, int less) throws IOException {
        byte[] bytes = Files.readAllBytes(FormatFiles.path("pictures/" + name));
        MemoryStore store = new MemoryStore(name, Arrays.copyOf(bytes, bytes.length - less));
        StoredArray array = FORMAT.open(store, "");
        assertThatThrownBy(() -> array.reader().read(Box.whole(array.shape())))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("its pixels cannot be decoded");
    }

    @Test
    void dtypesAreWideEnough() throws IOException {
        assertThat(FORMAT.open(store("grey16.png"), "").dtype()).isEqualTo(DType.INT32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grey16.png", "palette.png", "rgb.png", "flat.jpg"})
    void damageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 200);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "grey.png",
                "grey16.png",
                "palette.png",
                "rgb.png",
                "rgba.png",
                "flat.jpg",
                "grey.jpg",
                "cmyk.jpg"
            })
    void muchDamageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 5_000);
    }

    private static Path path(String name) {
        return FormatFiles.path("pictures/" + name);
    }
}
