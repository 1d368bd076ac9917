package io.github.broadloom.zarr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.MemoryStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Box;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no Zarr, or more than is supported, is refused in a sentence that names the file. */
class ZarrRefusalTest {
    private static final String METADATA = """
            {"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "float32",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
             "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
             "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}""";

    @TempDir
    static Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        Fixtures.unpack(folder);
    }

    private static MemoryStore store(String metadata) {
        MemoryStore store = new MemoryStore("memory");
        store.files().put("zarr.json", metadata.getBytes(StandardCharsets.UTF_8));
        return store;
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String field, String other) {
        assertThat(METADATA).contains(field);
        return assertThatThrownBy(() -> new ZarrFormat().open(store(METADATA.replace(field, other)), ""))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read memory/zarr.json: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[4, 6]|[4, -6]|none of them negative",
                "[4, 6]|[4, 6.5]|a list of sizes",
                "[4, 6]|[9223372036854775808, 6]|past 2^63 - 1",
                "[4, 6]|[9223372036854775807, 6]|the product of its shape [9223372036854775807, 6] exceeds 64 bits",
                "[4, 6]|[4]|its shape is [4], and its chunks are of shape [2, 3]",
                "[4, 6]|7|a list",
                "[4, 6]|[4611686018427387904, 1]|exceeds 64 bits",
                "[2, 3]|[0, 3]|cannot be cut into chunks of [0, 3]",
                "[2, 3]|[2, 1000000000000000000]|up to 2147479551 are read",
                "[2, 3]|[1000000000000000000, 1000000000000000000]|exceeds 64 bits",
                "\"float32\"|\"uint64\"|its data_type \"uint64\" is not supported; float32",
                "\"float32\"|{\"name\": \"struct\"}|is not supported",
                "\"array\"|\"thing\"|its node_type is \"thing\" where array or group belongs",
                "\"regular\"|\"rectilinear\"|a regular one is read",
                "\"default\"|\"numbers\"|default and v2 are read",
                "\"little\"|\"middle\"|its endian is \"middle\" where little or big belongs",
                "\"bytes\"|\"packbits\"|its codec 'packbits' is not supported",
                "\"fill_value\": 0|\"fill_value\": \"many\"|its fill_value is \"many\" where a value of float32 belongs",
                "\"fill_value\": 0|\"fill_value\": 1e39|where a value of float32 belongs",
                "\"fill_value\": 0|\"fill_value\": 0, \"more\": {}|its field 'more' is not known",
                "\"fill_value\": 0|\"fill_value\": 0, \"dimension_names\": [\"x\"]|its dimension_names are 1",
                "\"fill_value\": 0|\"fill_value\": 0, \"storage_transformers\": [{\"name\": \"x\"}]|storage transformers",
                "\"zarr_format\": 3|\"zarr_format\": 4|its zarr_format is 4 where 3 belongs",
                "{\"zarr|[1] {\"zarr|an object of JSON belongs",
                "\"codecs\": [|\"codecs\": [[|it is not JSON"
            })
    void metadataThatContradictsItselfIsRefused(String field, String other, String message) {
        assertRefused(field, other).hasMessageContaining(message);
    }

    @Test
    void codecsThatAreNotThereAreNamed() {
        assertRefused("}}]}", "}}, {\"name\": \"zfp\"}]}")
                .hasMessage("Cannot read memory/zarr.json: its codec 'zfp' is not supported; zstd, lz4, zlib, gzip, "
                        + "blosc, crc32c and shuffle are read");
        assertRefused(
                        "\"codecs\": [",
                        "\"codecs\": [{\"name\": \"transpose\", \"configuration\": {\"order\": [0, 0]}}, ")
                .hasMessageContaining("each dimension once");
    }

    @Test
    void fieldsThatNeedNotBeUnderstoodAreNot() throws IOException {
        String more = METADATA.replace("\"fill_value\"", "\"more\": {\"must_understand\": false}, \"fill_value\"");
        assertThat(new ZarrFormat().open(store(more), "").attributes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unsigned|its dtype '<u8' (unsigned integers) is not supported",
                "complex|its dtype '<c8' (complex numbers) is not supported",
                "text|its dtype '<U4' (text) is not supported",
                "date|its dtype '<M8[s]' (datetime64) is not supported",
                "bytes|its dtype '|S3' (byte strings) is not supported",
                "struct|its dtype is a structured one",
                "delta|its codec 'delta' is not supported"
            })
    void dtypesAndFiltersOfNumPyThatThereAreNotAreNamed(String key, String message) {
        Path group = folder.resolve("v2-group.zarr");
        String expected = message.startsWith("its dtype '") && key.equals("bytes") ? "its dtype '|S3'" : message;
        assertThatThrownBy(() -> Fixtures.open(group, "others/" + key))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + group + "/others/" + key + "/.zarray: ")
                .hasMessageContaining(expected);
    }

    @Test
    void anArrayThatIsNotThereIsToldWithThoseThatAre() {
        Path group = folder.resolve("v2-group.zarr");
        assertThatThrownBy(() -> Fixtures.open(group, "zstd/nothing"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("there is no array of Zarr; in " + group + " are blosc/bool, ");
        for (String key : new String[] {"../v3-int32.zarr", "/etc", "a//b", "."}) {
            assertThatThrownBy(() -> Fixtures.open(group, key))
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessageContaining("does not name anything in it");
        }
    }

    @Test
    void namesInConsolidatedMetadataDoNotLeadOutOfTheStore() {
        MemoryStore group = new MemoryStore("memory");
        group.files().put(".zmetadata", "{\"metadata\": {\"../x/.zarray\": {}}}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> new ZarrFormat().keys(group)).hasMessageContaining("'../x' does not name anything");
    }

    @Test
    void linksThatLeadOutOfTheStoreAreNotFollowed() throws IOException {
        Path store = Files.createDirectory(folder.resolve("linked.zarr"));
        Files.writeString(store.resolve("zarr.json"), METADATA);
        Path secret = Files.write(folder.resolve("secret"), new byte[24]);
        Files.createDirectories(store.resolve("c/0"));
        Files.createSymbolicLink(store.resolve("c/0/0"), secret);
        StoredArray array = Fixtures.open(store, "");
        assertThatThrownBy(() -> Fixtures.readAll(array)).hasMessageContaining("leads out of");
    }

    @Test
    void groupsInCirclesEnd() throws IOException {
        Path store = Files.createDirectory(folder.resolve("circle.zarr"));
        Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\": 2}");
        Files.createSymbolicLink(store.resolve("again"), store);
        assertThatThrownBy(() -> new ZarrFormat().keys(LocalStore.of(store))).hasMessageContaining("32 deep");
    }

    private static void assertChunkRefused(String store, String chunk, byte[] bytes, String message)
            throws IOException {
        MemoryStore files = Fixtures.stores().get(store);
        assertThat(files.files()).containsKey(chunk);
        files.files().put(chunk, bytes);
        StoredArray array = new ZarrFormat().open(files, "");
        assertThatThrownBy(() -> array.reader().read(Box.whole(array.shape())))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read memory/" + chunk + ": ")
                .hasMessageContaining(message);
    }

    @Test
    void brokenChunksAreNamed() throws IOException {
        byte[] nothing = new byte[0];
        assertChunkRefused("v3-int32-big.zarr", "c/0/1/0", new byte[95], "it has 95 bytes, and a chunk of 96 bytes");
        assertChunkRefused("v3-int32-big.zarr", "c/0/1/0", new byte[97], "it has 97 bytes, and a chunk of 96 bytes");
        assertChunkRefused("v3-int32.zarr", "c/0/1/0", nothing, "it has 0 bytes");
        assertChunkRefused("v3-int32.zarr", "c/0/1/0", new byte[40], "its zstd data is damaged");
        assertChunkRefused("v3-int32.zarr", "c/0/1/0", new byte[100_000], "it has 100000 bytes, and a chunk of 96");
        assertChunkRefused("v2-int32-F.zarr", "0/1/0", new byte[40], "its zlib data is damaged");
        assertChunkRefused("v3-transposed.zarr", "c.0.1.0", new byte[40], "CRC-32C");
        assertChunkRefused("v3-sharded-end.zarr", "c/0/1/0", new byte[40], "the index of its shard alone");
        assertChunkRefused("v3-sharded-end.zarr", "c/0/1/0", new byte[200], "CRC-32C");
        assertChunkRefused("v3-blosc-lz4-shuffle.zarr", "c/0/0/0", new byte[10], "it has 10 bytes");
        assertChunkRefused(
                "v3-blosc-lz4-shuffle.zarr", "c/0/0/0", new byte[400], "its blosc container is of version 0");
    }

    @Test
    void aChunkThatDecodesToMoreOrLessIsRefused() throws IOException {
        MemoryStore files = Fixtures.stores().get("v3-int32.zarr");
        byte[] chunk = files.files().get("c/0/1/0");
        files.files().put("zarr.json", text(files).replace("[3,2,4]", "[3,2,3]").getBytes(StandardCharsets.UTF_8));
        StoredArray smaller = new ZarrFormat().open(files, "");
        assertThatThrownBy(() -> Fixtures.readAll(smaller)).hasMessageContaining("its zstd data is damaged");
        files.files().put("zarr.json", text(files).replace("[3,2,3]", "[3,2,5]").getBytes(StandardCharsets.UTF_8));
        StoredArray larger = new ZarrFormat().open(files, "");
        assertThat(chunk).isNotEmpty();
        assertThatThrownBy(() -> Fixtures.readAll(larger))
                .hasMessageContaining("it holds 96 bytes where a chunk has 120");
    }

    private static String text(MemoryStore store) {
        return new String(store.files().get("zarr.json"), StandardCharsets.UTF_8);
    }
}
