package io.github.broadloom.hdf5;

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
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Hdf5Test {
    private static final Hdf5Format FORMAT = new Hdf5Format();

    private static LocalStore store(String name) {
        return FormatFiles.store("hdf5/" + name + ".h5");
    }

    private static StoredArray open(String name, String key) throws IOException {
        return FORMAT.open(store(name), key);
    }

    static Stream<String> contiguous() {
        return Stream.of("little", "big")
                .flatMap(order -> Stream.of(
                                "float16", "float32", "float64", "uint8", "uint16", "uint32", "int8", "int16", "int32",
                                "int64")
                        .map(type -> order + "/" + type));
    }

    @ParameterizedTest
    @MethodSource("contiguous")
    void everyTypeIsReadInBothByteOrders(String key) throws IOException {
        String type = key.substring(key.indexOf('/') + 1);
        StoredArray array = open("contiguous", key);
        assertThat(array.dtype()).isEqualTo(Formula.readAs(type));
        assertThat(array.shape()).isEqualTo(Shape.of(4, 3, 5));
        Formula.assertHolds(array, type);
    }

    @Test
    void groupsLinksBoolsScalarsAndCompactDatasets() throws IOException {
        assertThat(ArrayFormats.of(store("contiguous"))).get().isInstanceOf(Hdf5Format.class);
        assertThat(FORMAT.keys(store("contiguous")))
                .isSorted()
                .contains("bool", "little/float16", "nested/deeper/x", "text")
                .doesNotContain("soft", "nested/loop/deeper/x");
        Formula.assertHolds(open("contiguous", "bool"), "bool");
        assertThat(open("contiguous", "bool").dtype()).isEqualTo(DType.BOOL);
        Formula.assertHolds(open("contiguous", "scalar"), "float64");
        assertThat(open("contiguous", "scalar").shape()).isEqualTo(Shape.SCALAR);
        assertThat(open("contiguous", "empty").shape()).isEqualTo(Shape.of(0, 3));
        Formula.assertHolds(open("contiguous", "empty"), "int32");
        Formula.assertHolds(open("contiguous", "/nested/deeper/x"), "int16");
        Formula.assertHolds(open("contiguous", "soft"), "int16");
        Formula.assertHolds(open("contiguous", "nested/loop/loop/deeper/x"), "int16");
        Formula.assertHolds(open("contiguous", "compact"), "int32");
        Formula.assertHolds(open("contiguous", "colours"), i -> i);
        Formula.assertHolds(open("contiguous", "never"), i -> -1.5);
    }

    @Test
    void attributesAreNumbersTextsAndLists() throws IOException {
        assertThat(open("contiguous", "little/float32").attributes())
                .isEqualTo(
                        Map.of("units", "K", "numbers", List.of(1, 2, 3), "half", 0.5f, "names", List.of("a", "bc")));
        for (String file : List.of("chunked", "chunked-latest")) {
            Map<String, Object> many = open(file, "many_chunks").attributes();
            assertThat(many).hasSize(40).containsEntry("attribute07", 7L);
            Formula.assertHolds(open(file, "many/39"), "int8");
            assertThat(FORMAT.keys(store(file))).contains("many/00", "many/39");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "chunked-latest"})
    void chunksAreReadThroughEveryFilterAndIndex(String file) throws IOException {
        for (String filter : List.of("deflate", "shuffle_deflate", "lzf", "fletcher32", "all", "shuffle")) {
            StoredArray array = open(file, "filters/" + filter);
            assertThat(array.chunk()).isEqualTo(Shape.of(4, 3, 5));
            Formula.assertHolds(array, "int32");
        }
        Formula.assertHolds(open(file, "plain"), "float64");
        assertThat(open(file, "plain").readsAnyBox()).isTrue();
        Formula.assertHolds(open(file, "big"), "int16");
        Formula.assertHolds(open(file, "unsigned"), "uint16");
        Formula.assertHolds(open(file, "one_chunk"), "int32");
        Formula.assertHolds(open(file, "one_plain_chunk"), "int32");
        Formula.assertHolds(open(file, "growing"), "float32");
        Formula.assertHolds(open(file, "growing_filtered"), "float32");
        Formula.assertHolds(open(file, "growing_twice"), "int32");
        Formula.assertHolds(open(file, "early"), "int32");
        Formula.assertHolds(open(file, "many_chunks"), "int16");
        Formula.assertHolds(open(file, "sparse"), i -> {
            long row = i / 7;
            long column = i % 7;
            boolean written = row >= 4 && row < 8 && column >= 3 && column < 6;
            return written ? Formula.value("int32", (row - 4) * 3 + column - 3) : 9;
        });
        assertThat(open(file, "filters/all").encoding()).isEqualTo("little-endian, shuffle, deflate, fletcher32");
    }

    @Test
    void chunksThatAreMissingAreTheFillValueOrRefused() throws IOException {
        Formula.assertHolds(
                open("chunked", "growing_holes"), i -> i >= 12 && i < 18 ? Formula.value("int32", i - 12) : 9);
        StoredArray unknown = open("chunked-latest", "growing_holes");
        assertThatThrownBy(() -> unknown.reader().read(Box.whole(unknown.shape())))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("some of its chunks are not there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "zstd", "bitshuffle", "bitshuffle_lz4", "bitshuffle_zstd"})
    void registeredFiltersAreUndone(String key) throws IOException {
        Formula.assertHolds(open("registered", key), "int32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "registered | blosc | its chunks went through filter 32001 (blosc), which cannot be undone here; deflate, shuffle",
                "contiguous | text | its elements are sequences of variable length",
                "contiguous | compound | its elements are compounds of 8 bytes, for which there is no dtype",
                "contiguous | uint64 | its elements are integers of 8 bytes, for which there is no dtype",
                "contiguous | null | its dataspace is null: it has no elements and no shape",
                "contiguous | nested | it is a group; name one of its arrays: big/float16",
                "contiguous | nothing | it has no array 'nothing'; it has big/float16",
                "contiguous | bool/x | it has no array 'bool/x'; it has big/float16",
            })
    void whatCannotBeReadIsSaid(String file, String key, String problem) {
        assertThatThrownBy(() -> open(file, key))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read ")
                .hasMessageContaining(problem);
    }

    @Test
    void aUsersBlockIsSteppedOver() throws IOException {
        Formula.assertHolds(open("user-block", "x"), "float32");
        Formula.assertHolds(open("user-block", "chunks"), "int32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"contiguous", "chunks"})
    void aThirdOfTheRowsIsAboutAThirdOfTheBytes(String key) throws IOException {
        MemoryStore store = MemoryStore.of(FormatFiles.path("hdf5/large.h5"));
        StoredArray array = FORMAT.open(store, key);
        assertThat(store.read()).isLessThan(store.size() / 4);
        long before = store.read();
        array.reader().read(Box.whole(array.shape()).with(0, 30, 60)).release();
        long elements = 30 * 200 * 4;
        assertThat(store.read() - before).isBetween(elements, elements + 32 * 1024);
    }

    @Test
    void aReaderTravelsToTasks() throws Exception {
        StoredArray array = open("chunked", "filters/all");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            array.reader().read(Box.whole(array.shape())).release();
            out.writeObject(array.reader());
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Tensor read = ((BlockReader) in.readObject()).read(Box.whole(array.shape()));
            assertThat(read.getDouble(9, 6, 4)).isEqualTo(Formula.value("int32", 349));
        }
    }

    @Test
    void aBrokenChecksumIsFound() throws IOException {
        byte[] bytes = Files.readAllBytes(FormatFiles.path("hdf5/chunked.h5"));
        StoredArray array = FORMAT.open(new MemoryStore("x.h5", bytes), "filters/fletcher32");
        // The first chunk's elements lie in the file as they are: the second one of the formula is broken.
        byte[] second = {0, 0, 0, 0};
        ByteBuffer.wrap(second).order(ByteOrder.LITTLE_ENDIAN).putInt((int) Formula.value("int32", 1));
        for (int i = 0; i < bytes.length - 4; i++) {
            if (Arrays.equals(bytes, i, i + 4, second, 0, 4)) {
                bytes[i] ^= 1;
            }
        }
        assertThatThrownBy(() -> array.reader().read(Box.whole(array.shape())))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("the checksum of a chunk does not match its bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "chunked-latest", "registered"})
    void damageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), name.equals("small") ? 300 : 40);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"small", "chunked", "chunked-latest", "contiguous", "user-block", "registered"})
    void muchDamageIsSurvived(String name) throws IOException {
        Damage.survives(FORMAT, path(name), 500);
    }

    private static Path path(String name) {
        return FormatFiles.path("hdf5/" + name + ".h5");
    }
}
