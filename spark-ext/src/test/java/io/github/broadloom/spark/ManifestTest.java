package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder of parts is what its manifest says, or is refused. */
class ManifestTest {
    private static final int PARTS = 5;

    @TempDir
    Path folder;

    private static Tensor numbers() {
        return Tensors.arange(2 * PARTS * 3).to(DType.FLOAT32).view(2 * PARTS, 3);
    }

    @BeforeEach
    void write() throws IOException {
        DistributedTensor x = LocalSpark.broadloom().tensor(numbers(), PARTS);
        x.writeNpy(path("npy"), WriteMode.CREATE);
        x.writeArrow(path("arrow"), WriteMode.CREATE);
    }

    private String path(String format) {
        return folder.resolve(format).toString();
    }

    private Path part(String format, int index) {
        return folder.resolve(format).resolve("part-0000" + index + "." + format);
    }

    private Path manifest(String format) {
        return folder.resolve(format).resolve("_broadloom.json");
    }

    private DistributedTensor open(String format) throws IOException {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(24);
        return format.equals("npy") ? broadloom.readNpy(path(format)) : broadloom.readArrow(path(format));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npy", "arrow"})
    void tellsDtypeShapeAndOfEachPartItsRowsLengthAndChecksum(String format) throws IOException {
        JsonNode root = new ObjectMapper().readTree(manifest(format).toFile());
        assertThat(root.get("format").asText()).isEqualTo(format);
        assertThat(root.get("dtype").asText()).isEqualTo("float32");
        assertThat(root.get("shape")).hasToString("[10,3]");
        assertThat(root.get("parts")).hasSize(PARTS);
        for (int i = 0; i < PARTS; i++) {
            byte[] bytes = Files.readAllBytes(part(format, i));
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            JsonNode part = root.get("parts").get(i);
            assertThat(part.get("name").asText())
                    .isEqualTo(part(format, i).getFileName().toString());
            assertThat(part.get("rows").asLong()).isEqualTo(2);
            assertThat(part.get("bytes").asLong()).isEqualTo(bytes.length);
            assertThat(Long.parseLong(part.get("crc32c").asText(), 16)).isEqualTo(crc.getValue());
        }
        Bits.assertSame(open(format).collect(), numbers());
    }

    @ParameterizedTest
    @ValueSource(strings = {"npy", "arrow"})
    void partsThatAreMissingCutOrTooManyAreNamedWhenTheFolderIsOpened(String format) throws IOException {
        byte[] last = Files.readAllBytes(part(format, 4));
        Files.delete(part(format, 4));
        assertRefused(format, "its part-00004." + format + " is missing, by its _broadloom.json");
        Files.write(part(format, 4), new byte[50]);
        assertRefused(format, "its part-00004." + format + " has 50 bytes instead of " + last.length);
        Files.write(part(format, 4), last);
        Files.write(part(format, 5), last);
        assertRefused(format, "its _broadloom.json does not list part-00005." + format);
        Files.delete(part(format, 5));
        Bits.assertSame(open(format).collect(), numbers());
    }

    private void assertRefused(String format, String problem) {
        assertThatThrownBy(() -> open(format))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read ")
                .hasMessageContaining(problem)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFolderWithoutManifestIsRefused() throws IOException {
        Files.delete(manifest("npy"));
        assertRefused("npy", "it has no _broadloom.json, with which the writing of a folder ends");
        Files.move(manifest("arrow"), manifest("npy"));
        assertRefused("npy", "its parts are arrow files, not npy files");
    }

    @ParameterizedTest
    @ValueSource(strings = {"npy", "arrow"})
    void aByteThatChangedIsFoundByWhoReadsThePartWhole(String format) throws IOException {
        byte[] bytes = Files.readAllBytes(part(format, 2));
        // The first element of the part is 12.
        int place = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("\0\0\100A\0\0\120A");
        bytes[place] ^= 1;
        Files.write(part(format, 2), bytes);
        DistributedTensor x = open(format);
        assertThatThrownBy(x::collect)
                .hasMessageContaining("part-00002." + format + ": its bytes are not those that were written")
                .hasMessageNotContaining("\n");
        assertThat(x.select(0, 5).sum().collect().item()).isEqualTo(48.0);
        assertThat(x.select(0, 0).sum().collect().item()).isEqualTo(3.0);
    }

    /** Whatever stands there, one sentence says what is wrong, or the parts are right. */
    @Test
    void aDamagedManifestIsRefused() throws IOException {
        String text = Files.readString(manifest("npy"));
        for (String damaged : new String[] {
            "",
            "[]",
            "{}",
            text.substring(0, text.length() / 2),
            text.replace("float32", "float33"),
            text.replace("\"version\" : 1", "\"version\" : 2"),
            text.replace("[ 10, 3 ]", "[ 12, 3 ]"),
            text.replace("[ 10, 3 ]", "[ 10, 4 ]"),
            text.replace("[ 10, 3 ]", "[ 10, 4611686018427387904 ]"),
            text.replace("[ 10, 3 ]", "[ 10, -3 ]"),
            text.replace("\"rows\" : 2", "\"rows\" : \"2\""),
            text.replace("\"rows\" : 2", "\"rows\" : 9223372036854775807"),
            text.replace("part-00001.npy", "../x/part-00001.npy"),
            text.replace("part-00001.npy", "part-00002.npy"),
            text.replaceFirst("crc32c\" : \"[0-9a-f]*", "crc32c\" : \"none")
        }) {
            Files.writeString(manifest("npy"), damaged);
            assertRefused("npy", "");
        }
    }
}
