package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    private static final String LIBRARY = "libJNvrtc-12.6.0-linux-x86_64.so";

    @TempDir
    Path folder;

    private static byte[] original() throws IOException {
        try (InputStream in = NativeLibrariesTest.class.getResourceAsStream("/lib/" + LIBRARY)) {
            return in.readAllBytes();
        }
    }

    @Test
    void aLibraryIsPlacedWhole() throws IOException {
        assertThat(NativeLibraries.place(LIBRARY, folder)).hasBinaryContent(original());
        assertThat(folder.toFile().list()).containsExactly(LIBRARY);
    }

    @Test
    void aLibraryThatIsThereIsLeftAlone() throws IOException {
        Path placed = NativeLibraries.place(LIBRARY, folder);
        Files.setLastModifiedTime(placed, FileTime.fromMillis(1_000));
        NativeLibraries.place(LIBRARY, folder);
        assertThat(Files.getLastModifiedTime(placed)).isEqualTo(FileTime.fromMillis(1_000));
    }

    @Test
    void halfALibraryIsReplaced() throws IOException {
        Files.write(folder.resolve(LIBRARY), new byte[] {1, 2, 3});
        assertThat(NativeLibraries.place(LIBRARY, folder)).hasBinaryContent(original());
    }

    @Test
    void severalAtOnceLeaveOneWholeLibrary() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Path>> placed = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                placed.add(threads.submit(() -> NativeLibraries.place(LIBRARY, folder)));
            }
            for (Future<Path> path : placed) {
                assertThat(path.get()).hasBinaryContent(original());
            }
        } finally {
            threads.shutdown();
        }
        assertThat(folder.toFile().list()).containsExactly(LIBRARY);
    }

    @Test
    void anUnknownLibraryIsNamed() {
        assertThatThrownBy(() -> NativeLibraries.place("libNothing.so", folder))
                .isInstanceOf(IOException.class)
                .hasMessage("lib/libNothing.so is missing");
    }
}
