package io.github.broadloom.safetensors;

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
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
    private static final SafetensorsFormat FORMAT = new SafetensorsFormat();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"})
    void everyDtypeIsReadAsTheLibraryWroteIt(String type) throws IOException {
        StoredArray array = FORMAT.open(FormatFiles.store("safetensors/library.safetensors"), "layer." + type);
        assertThat(array.dtype()).isEqualTo(DType.of(type));
        assertThat(array.shape()).isEqualTo(Shape.of(5, 3, 4));
        Formula.assertHolds(array, type);
    }

    @Test
    void namesAreSortedAndTheFileIsRecognized() throws IOException {
        LocalStore store = FormatFiles.store("safetensors/library.safetensors");
        assertThat(ArrayFormats.of(store)).get().isInstanceOf(SafetensorsFormat.class);
        assertThat(FORMAT.keys(store)).isSorted().hasSize(13).contains("scalar", "unsigned");
        assertThat(FORMAT.open(store, "one").attributes()).isEqualTo(Map.of("format", "np", "step", "17"));
    }

    @Test
    void scalarsAndEmptyTensorsAndBfloat16() throws IOException {
        LocalStore store = FormatFiles.store("safetensors/library.safetensors");
        Formula.assertHolds(FORMAT.open(store, "scalar"), "float32");
        assertThat(FORMAT.open(store, "empty").shape()).isEqualTo(Shape.of(0, 3));
        Formula.assertHolds(FORMAT.open(store, "empty"), "int32");
        StoredArray reduced = FORMAT.open(FormatFiles.store("safetensors/bfloat16.safetensors"), "weights");
        assertThat(reduced.dtype()).isEqualTo(DType.BFLOAT16);
        Formula.assertHolds(reduced, "bfloat16");
    }

    @Test
    void aThirdOfTheRowsIsAThirdOfTheBytes() throws IOException {
        MemoryStore store = MemoryStore.of(FormatFiles.path("safetensors/large.safetensors"));
        StoredArray array = FORMAT.open(store, "x");
        long before = store.read();
        array.reader().read(Box.whole(array.shape()).with(0, 20, 40)).release();
        assertThat(store.read() - before).isEqualTo(20 * 8 * 5 * 8);
    }

    @Test
    void whatIsNotThereOrOfAnotherDtypeIsSaid() {
        LocalStore store = FormatFiles.store("safetensors/library.safetensors");
        assertThatThrownBy(() -> FORMAT.open(store, "twenty"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it has no array 'twenty'; it has empty, layer.bool");
        assertThatThrownBy(() -> FORMAT.open(store, "unsigned"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("its dtype 'U16' is not supported; BF16, BOOL, F16");
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        Path file = folder.resolve("x.safetensors");
        Tensor matrix = Tensors.copyOf(new double[] {1, 2, 3, 4, 5, 6}, 2, 3);
        Tensor flags = Tensors.of(true, false, true);
        Safetensors.write(
                Map.of("b", matrix.transpose(0, 1), "a", flags), Map.of("by", "a test"), file, WriteMode.CREATE);
        LocalStore store = LocalStore.of(file);
        assertThat(FORMAT.keys(store)).containsExactly("a", "b");
        StoredArray read = FORMAT.open(store, "b");
        assertThat(read.attributes()).isEqualTo(Map.of("by", "a test"));
        Tensor back = read.reader().read(Box.whole(read.shape()));
        assertThat(back.toDoubleArray()).containsExactly(1, 4, 2, 5, 3, 6);
        Tensor truths = FORMAT.open(store, "a").reader().read(Box.whole(Shape.of(3)));
        assertThat(truths.toBooleanArray()).containsExactly(true, false, true);
        // The elements of the widest dtype begin at a multiple of their size.
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat((8 + bytes.getLong(0)) % 8).isZero();
        assertThat(bytes.getDouble((int) (8 + bytes.getLong(0)))).isEqualTo(1);
        assertThatThrownBy(() -> Safetensors.write(Map.of("a", flags), Map.of(), file, WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aFolderOfFilesIsOneModel() throws IOException {
        Safetensors.write(
                Map.of("b", Tensors.of(1L, 2L)), Map.of(), folder.resolve("m-1.safetensors"), WriteMode.CREATE);
        Safetensors.write(Map.of("a", Tensors.of(3L)), Map.of(), folder.resolve("m-2.safetensors"), WriteMode.CREATE);
        Files.writeString(folder.resolve("model.safetensors.index.json"), "{}");
        LocalStore store = LocalStore.of(folder);
        assertThat(ArrayFormats.of(store)).get().isInstanceOf(SafetensorsFormat.class);
        assertThat(FORMAT.keys(store)).containsExactly("a", "b");
        Tensor read = FORMAT.open(store, "b").reader().read(Box.whole(Shape.of(2)));
        assertThat(read.toLongArray()).containsExactly(1, 2);
        Safetensors.write(Map.of("a", Tensors.of(3L)), Map.of(), folder.resolve("m-3.safetensors"), WriteMode.CREATE);
        assertThatThrownBy(() -> FORMAT.open(store, "b"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("both m-2.safetensors and m-3.safetensors have a tensor 'a'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}} | 6 | lies from byte 2 to 6 where the one before it ends at 4",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[5,9]}} | 9 | lies from byte 5 to 9 where the one before it ends at 4",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}} | 5 | its header tells of 4 bytes of elements, but 5 follow",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}} | 3 | its header tells of 4 bytes of elements, but 3 follow",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[0,4]}} | 4 | its offsets leave it 4 bytes, but uint8 [5] has 5",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,4]}} | 4 | exceeds 64 bits",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[-4],\"data_offsets\":[0,4]}} | 4 | is not a dtype, a shape and two offsets",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}} | 4 | is not a dtype, a shape and two offsets",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}} | 8 | Duplicate field 'a'",
                "{\"a\":3} | 0 | what it says of 'a' is no JSON object",
                "{\"a\": | 0 | its header is not the JSON object of a safetensors file",
                "[1, 2] | 0 | it is no JSON object",
            })
    void brokenHeadersAreRefused(String json, int bytes, String problem) {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + header.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(header.length).put(header);
        MemoryStore store = new MemoryStore("x.safetensors", file.array());
        assertThatThrownBy(() -> FORMAT.open(store, "a"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read x.safetensors")
                .hasMessageContaining(problem);
    }

    @Test
    void aHeaderThatClaimsToBeHugeTakesNoMemory() {
        byte[] file = new byte[20];
        Arrays.fill(file, (byte) 0x7f);
        assertThatThrownBy(() -> FORMAT.keys(new MemoryStore("x", file)))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("its header claims to be 9187201950435737471 bytes long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"library", "bfloat16"})
    void damageIsSurvived(String name) throws IOException {
        damaged(name, 400);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"library", "bfloat16"})
    void muchDamageIsSurvived(String name) throws IOException {
        damaged(name, 5_000);
    }

    private static void damaged(String name, int rounds) throws IOException {
        Path file = FormatFiles.path("safetensors/" + name + ".safetensors");
        Damage.survives(FORMAT, file, rounds);
    }
}
