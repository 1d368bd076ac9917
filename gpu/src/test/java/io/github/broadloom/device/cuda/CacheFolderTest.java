package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    Path folder;

    @Test
    void itIsMadeForItsUserAlone() throws IOException {
        Path made = CacheFolder.of("cubins", List.of(folder.resolve("a/b")));
        assertThat(made).isEqualTo(folder.resolve("a/b/cubins")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
    }

    @Test
    void theNextIsTakenWhereTheFirstCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(CacheFolder.of("cubins", List.of(file, folder))).isEqualTo(folder.resolve("cubins"));
    }

    @Test
    void whereNoneCanBeWrittenAllAreNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> CacheFolder.of("cubins", List.of(file)))
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot write to a cache folder: tried [%s]; set broadloom.cuda.cache", file)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
}
