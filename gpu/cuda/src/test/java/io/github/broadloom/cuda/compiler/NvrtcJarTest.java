package io.github.broadloom.cuda.compiler;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar laid out as the one with CUDA's libraries, with short texts for libraries. */
class NvrtcJarTest {
    private static final String FOLDER = "org/bytedeco/cuda/linux-x86_64/";
    private static final String LIBRARY = "libnvrtc.so.12";
    private static final String BUILTINS = "libnvrtc-builtins.so.12.9";

    @TempDir
    Path folder;

    private Path cache;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        cache = Files.createDirectory(folder.resolve("cache"));
        file = folder.resolve("cuda.jar");
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : List.of(LIBRARY, BUILTINS, "libcurand.so.10", "libnvrtc.so.12.txt")) {
                jar.putNextEntry(new ZipEntry(FOLDER + name));
                jar.write(("content of " + name).getBytes(UTF_8));
            }
        }
    }

    private NvrtcJar jar() throws IOException {
        return new NvrtcJar(new URL("jar:" + file.toUri() + "!/" + FOLDER + LIBRARY));
    }

    @Test
    void theTwoLibrariesAreUnpackedAndNoOther() throws IOException {
        NvrtcFiles unpacked = jar().unpacked(cache).orElseThrow();
        Path folder = unpacked.library().getParent();
        assertThat(folder.getParent()).isEqualTo(cache);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder(LIBRARY, BUILTINS);
        assertThat(unpacked).isEqualTo(new NvrtcFiles(folder.resolve(LIBRARY), List.of(folder.resolve(BUILTINS)), 12));
        assertThat(folder.resolve(LIBRARY)).hasContent("content of " + LIBRARY);
        assertThat(folder.resolve(BUILTINS)).hasContent("content of " + BUILTINS);
    }

    @Test
    void whatIsThereIsLeftAlone() throws IOException {
        Path library = jar().unpacked(cache).orElseThrow().library();
        Files.setLastModifiedTime(library, FileTime.fromMillis(1_000));
        jar().unpacked(cache);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(FileTime.fromMillis(1_000));
    }

    @Test
    void halfALibraryIsReplaced() throws IOException {
        Path library = jar().unpacked(cache).orElseThrow().library();
        Files.writeString(library, "cont");
        jar().unpacked(cache);
        assertThat(library).hasContent("content of " + LIBRARY);
    }

    @Test
    void anotherContentOfTheSameSizeIsReplacedAndALinkIsNotFollowed() throws IOException {
        NvrtcFiles unpacked = jar().unpacked(cache).orElseThrow();
        String planted = "Content of " + LIBRARY;
        Files.writeString(unpacked.library(), planted);
        jar().unpacked(cache);
        assertThat(unpacked.library()).hasContent("content of " + LIBRARY);
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), planted);
        Files.delete(unpacked.library());
        Files.createSymbolicLink(unpacked.library(), elsewhere);
        jar().unpacked(cache);
        assertThat(unpacked.library()).hasContent("content of " + LIBRARY);
        assertThat(elsewhere).hasContent(planted);
    }

    @Test
    void whatWasUnpackedOnceIsFoundWithoutTheJar() throws IOException {
        NvrtcJar none = new NvrtcJar(null);
        assertThat(none.unpacked(cache)).isEmpty();
        NvrtcFiles unpacked = jar().unpacked(cache).orElseThrow();
        assertThat(none.unpacked(cache)).contains(unpacked);
    }

    @Test
    void aDamagedJarIsRefusedAndLeavesNothing() throws IOException {
        byte[] jar = Files.readAllBytes(file);
        int directory = new String(jar, ISO_8859_1).indexOf("PK\1\2");
        jar[directory + 16] ^= 1; // the first byte of the first entry's checksum
        Files.write(file, jar);
        assertThatThrownBy(() -> jar().unpacked(cache))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot unpack " + FOLDER + LIBRARY + ": its checksum is ");
        try (Stream<Path> left = Files.walk(cache)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void severalAtOnceLeaveWholeLibraries() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<NvrtcFiles>> unpacked = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                unpacked.add(threads.submit(() -> jar().unpacked(cache).orElseThrow()));
            }
            for (Future<NvrtcFiles> files : unpacked) {
                assertThat(files.get().library()).hasContent("content of " + LIBRARY);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(folder.resolve("cache").toFile().list()).hasSize(1);
    }

    @Test
    void aFolderOnTheClassPathIsNoJar() throws IOException {
        URL loose = URI.create("file:/classes/" + FOLDER + LIBRARY).toURL();
        assertThatThrownBy(() -> new NvrtcJar(loose).unpacked(cache))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Cannot unpack NVRTC: file:/classes/%s%s lies in no jar; set broadloom.nvrtc.path",
                        FOLDER, LIBRARY);
    }
}
