package io.github.broadloom.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ArrayFormats;
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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TiffTest {
    private static final TiffFormat FORMAT = new TiffFormat();
    private static final List<String> TYPES =
            List.of("float16", "float32", "float64", "uint8", "uint16", "uint32", "int8", "int16", "int32");

    private static LocalStore store(String name) {
        return FormatFiles.store("pictures/" + name + ".tif");
    }

    @ParameterizedTest
    @ValueSource(strings = {"little", "big"})
    void everyTypeIsReadInBothByteOrders(String order) throws IOException {
        LocalStore store = store("types-" + order);
        assertThat(ArrayFormats.of(store)).get().isInstanceOf(TiffFormat.class);
        assertThat(FORMAT.keys(store)).hasSize(TYPES.size()).startsWith("0", "1", "2");
        for (int page = 0; page < TYPES.size(); page++) {
            StoredArray array = FORMAT.open(store, Integer.toString(page));
            assertThat(array.dtype()).isEqualTo(Formula.readAs(TYPES.get(page)));
            assertThat(array.shape()).isEqualTo(Shape.of(11, 13));
            Formula.assertHolds(array, TYPES.get(page));
        }
    }

    /** The loops of {@code make_fixtures.py} once more. */
    @ParameterizedTest
    @ValueSource(strings = {"strips", "tiles"})
    void everyPackingPredictorAndPlanarConfigurationIsRead(String name) throws IOException {
        int page = 0;
        for (String compression : List.of("none", "lzw", "deflate", "packbits", "zstd")) {
            for (boolean predictor : new boolean[] {false, true}) {
                if (predictor && (compression.equals("none") || compression.equals("packbits"))) {
                    continue;
                }
                for (String type : List.of("uint8", "int16", "uint32", "float32")) {
                    for (int planar = 1; planar <= 2; planar++) {
                        StoredArray array = FORMAT.open(store("packed-" + name), Integer.toString(page));
                        assertThat(array.shape()).isEqualTo(Shape.of(21, 18, 3));
                        if (!compression.equals("none")) {
                            assertThat(array.encoding()).isEqualTo("little-endian, " + compression);
                            long channels = planar == 1 ? 3 : 1;
                            assertThat(array.chunk())
                                    .isEqualTo(
                                            name.equals("tiles")
                                                    ? Shape.of(16, 16, channels)
                                                    : Shape.of(4, 18, channels));
                        }
                        Formula.assertHolds(array, type);
                        page++;
                    }
                }
            }
        }
        assertThat(FORMAT.keys(store("packed-" + name))).hasSize(page);
    }

    @Test
    void bigTiffAndLongRunsOfLzw() throws IOException {
        assertThat(FORMAT.keys(store("big"))).containsExactly("");
        Formula.assertHolds(FORMAT.open(store("big"), ""), "float64");
        Formula.assertHolds(FORMAT.open(store("lzw-long"), ""), i -> (i * 2654435761L & 0xffff_ffffL) >>> 24);
        StoredArray one = FORMAT.open(store("one"), "0");
        assertThat(one.shape()).isEqualTo(Shape.of(30, 7, 2));
        assertThat(one.dtype()).isEqualTo(DType.INT32);
        assertThat(one.readsAnyBox()).isTrue();
        Formula.assertHolds(one, "uint16");
    }

    @ParameterizedTest
    @CsvSource({"jpeg, 0, 3", "jpeg, 1, 1", "jpeg, 2, 3", "jpeg-tables, 0, 3"})
    void tilesOfJpegAreNearTheirPixels(String file, String page, int channels) throws IOException {
        StoredArray array = FORMAT.open(store(file), page);
        assertThat(array.shape()).isEqualTo(channels == 3 ? Shape.of(48, 48, 3) : Shape.of(48, 48));
        double[] expected = channels == 3 ? new double[] {200, 100, 50} : new double[] {77};
        Tensor read = array.reader().read(Box.whole(array.shape()).with(0, 10, 40));
        List<Object> values = read.values();
        for (int i = 0; i < values.size(); i++) {
            double value = ((Number) values.get(i)).doubleValue();
            assertThat(value).isBetween(expected[i % channels] - 3, expected[i % channels] + 3);
        }
    }

    @Test
    void geoKeysAreAttributesAndOverviewsAreTold() throws IOException {
        assertThat(FORMAT.keys(store("geo"))).containsExactly("0", "0/overview-1", "0/overview-2");
        StoredArray array = FORMAT.open(store("geo"), "0");
        assertThat(array.attributes())
                .containsEntry("ModelPixelScale", List.of(0.5, 0.25, 0.0))
                .containsEntry("ModelTiepoint", List.of(0.0, 0.0, 0.0, 7.5, 50.25, 0.0))
                .containsEntry("GeoKeyDirectory", List.of(1L, 1L, 0L, 1L, 1024L, 0L, 1L, 2L))
                .containsEntry("GeoAsciiParams", "WGS 84|")
                .containsEntry("GDAL_NODATA", "-99");
        Formula.assertHolds(array, "int16");
        Formula.assertHolds(FORMAT.open(store("geo"), "0/overview-2"), "int16");
        assertThat(FORMAT.open(store("geo"), "0/overview-2").shape()).isEqualTo(Shape.of(10, 9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | its samples have [1] bits in format 1, for which there is no dtype",
                "1 | its samples have [64] bits in format 6, for which there is no dtype",
                "2 | its tiles are packed by compression 34712 (JPEG 2000), which is not known here; none, lzw, deflate",
                "3 | it has no array '3'; it has 0, 1, 2"
            })
    void whatCannotBeReadIsSaid(String page, String problem) {
        assertThatThrownBy(() -> FORMAT.open(store("refused"), page))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1024"})
    void aThirdOfTheRowsIsAboutAThirdOfTheBytes(String page, long more) throws IOException {
        MemoryStore store = MemoryStore.of(FormatFiles.path("pictures/large.tif"));
        StoredArray array = FORMAT.open(store, page);
        long before = store.read();
        long third = array.shape().size(0) / 3;
        array.reader().read(Box.whole(array.shape()).with(0, third, 2 * third)).release();
        long elements = third * array.shape().size(1) * 4;
        assertThat(store.read() - before).isBetween(elements, elements + more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"types-big", "geo", "big", "one", "jpeg"})
    void damageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 300);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "types-little",
                "types-big",
                "geo",
                "big",
                "one",
                "jpeg",
                "packed-strips",
                "packed-tiles",
                "lzw-long"
            })
    void muchDamageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 500);
    }

    private static Path path(String name) {
        return FormatFiles.path("pictures/" + name + ".tif");
    }
}
