package io.github.broadloom.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassicNetcdfTest {
    private static final NetcdfFormat FORMAT = new NetcdfFormat();

    static Stream<String> variables() {
        List<String> classic = List.of("int8", "int16", "int32", "float32", "float64");
        List<String> wide = List.of("uint8", "uint16", "uint32", "int64");
        return Stream.of("classic", "offset64", "cdf5")
                .flatMap(file -> Stream.concat(classic.stream(), file.equals("cdf5") ? wide.stream() : Stream.of())
                        .map(type -> file + " " + type));
    }

    @ParameterizedTest
    @MethodSource("variables")
    void everyTypeIsReadFromAnyBoxOfFixedVariablesAndOfRecords(String fileAndType) throws IOException {
        String type = fileAndType.split(" ")[1];
        LocalStore store = store(fileAndType.split(" ")[0]);
        StoredArray fixed = FORMAT.open(store, "fixed_" + type);
        assertThat(fixed.dtype()).isEqualTo(Formula.readAs(type));
        assertThat(fixed.shape()).isEqualTo(Shape.of(3, 5));
        assertThat(fixed.dimensions()).containsExactly("y", "x");
        assertThat(fixed.attributes()).isEqualTo(Map.of("units", "K", "numbers", List.of(1, 2, 3), "half", 0.5f));
        Formula.assertHolds(fixed, type);
        StoredArray records = FORMAT.open(store, "records_" + type);
        assertThat(records.shape()).isEqualTo(Shape.of(7, 3, 5));
        assertThat(records.dimensions()).containsExactly("time", "y", "x");
        Formula.assertHolds(records, type);
    }

    private static LocalStore store(String name) {
        return FormatFiles.store("netcdf/" + name + ".nc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "offset64", "cdf5"})
    void filesAreRecognizedAndTheirVariablesListedInOrder(String name) throws IOException {
        assertThat(ArrayFormats.of(store(name))).get().isInstanceOf(NetcdfFormat.class);
        assertThat(FORMAT.keys(store(name)))
                .startsWith("fixed_int8", "records_int8", "fixed_int16")
                .endsWith("scalar", "time", "letters");
    }

    @Test
    void scalarsCoordinatesAndRecordsWithoutGaps() throws IOException {
        Formula.assertHolds(FORMAT.open(store("classic"), "scalar"), "float64");
        StoredArray time = FORMAT.open(store("classic"), "time");
        Formula.assertHolds(time, "float64");
        assertThat(time.attributes()).isEqualTo(Map.of("units", "hours since 1970-01-01"));
        Formula.assertHolds(FORMAT.open(store("one-record-variable"), "v"), "int16");
        assertThat(FORMAT.open(store("no-records"), "w").shape()).isEqualTo(Shape.of(0));
        Formula.assertHolds(FORMAT.open(store("no-records"), "w"), "int32");
    }

    @Test
    void whatHasNoDtypeIsRefused() {
        assertThatThrownBy(() -> FORMAT.open(store("classic"), "letters"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it has characters, for which there is no dtype");
        assertThatThrownBy(() -> FORMAT.open(store("cdf5"), "fixed_uint64"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it has unsigned 64-bit integers, for which there is no dtype");
        assertThatThrownBy(() -> FORMAT.open(store("no-records"), "x"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it has no array 'x'; it has v, w");
    }

    @Test
    void aThirdOfTheRecordsIsAboutAThirdOfTheBytes() throws IOException {
        MemoryStore store = MemoryStore.of(FormatFiles.path("netcdf/large.nc"));
        StoredArray array = FORMAT.open(store, "v");
        long before = store.read();
        array.reader().read(Box.whole(array.shape()).with(0, 20, 40)).release();
        assertThat(store.read() - before).isEqualTo(19 * (200 * 4 + 8) + 200 * 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scale_f4",
                "scale_f8",
                "scale_int4",
                "scale_alone",
                "offset_alone",
                "fill_int2",
                "fill_int4",
                "fill_f4",
                "fill_f8",
                "missing",
                "unsigned"
            })
    void packedNumbersAreDecodedAsXarrayDoes(String key) throws IOException {
        JsonNode expected = new ObjectMapper()
                .readTree(FormatFiles.path("netcdf/packed.json").toFile())
                .get(key);
        StoredArray decoded = FORMAT.open(store("packed"), key + "?decode");
        assertThat(decoded.dtype()).isEqualTo(DType.of(expected.get("dtype").asText()));
        assertThat(decoded.attributes()).isEqualTo(Map.of("units", "K"));
        Formula.assertHolds(decoded, i -> {
            JsonNode value = expected.get("values").get((int) i);
            return value.isNull() ? Double.NaN : value.asDouble();
        });
        StoredArray packed = FORMAT.open(store("packed"), key);
        assertThat(packed.dtype().isFloatingPoint()).isEqualTo(key.startsWith("fill_f"));
        assertThat(packed.attributes()).containsKey("units").hasSizeGreaterThan(1);
    }

    @Test
    void whatAsksForNothingIsNotChangedByDecoding() throws IOException {
        Formula.assertHolds(FORMAT.open(store("classic"), "fixed_int16?decode"), "int16");
    }

    @Test
    void aShortenedFileIsTruncated() throws IOException {
        byte[] whole = Files.readAllBytes(FormatFiles.path("netcdf/one-record-variable.nc"));
        MemoryStore store = new MemoryStore("x.nc", Arrays.copyOf(whole, whole.length - 3));
        assertThatThrownBy(() -> FORMAT.open(store, "v"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessage("Cannot read x.nc:v: the file ends before the last element of its [6, 3]; the file is"
                        + " truncated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "cdf5", "one-record-variable"})
    void damageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 300);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"classic", "offset64", "cdf5", "one-record-variable", "no-records", "packed"})
    void muchDamageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 5_000);
    }

    private static Path path(String name) {
        return FormatFiles.path("netcdf/" + name + ".nc");
    }
}
