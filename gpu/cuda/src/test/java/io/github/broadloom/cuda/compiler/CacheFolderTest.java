package io.github.broadloom.cuda.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cuda.compiler.CacheFolder.Above;
import io.github.broadloom.cuda.compiler.CacheFolder.Root;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    private static final int SOMEBODY_ELSE = 12345;
    private static final byte[] CONTENT = "a library".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private static Path of(Path... roots) throws IOException {
        return CacheFolder.of(
                "cubins",
                List.of(roots).stream()
                        .map(root -> new Root(root, Above.CHECKED))
                        .toList());
    }

    private Path withMode(String name, String mode) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
    }

    /** Only root may give things away. */
    private static void giveAway(Path path) {
        try {
            Files.setAttribute(path, "unix:uid", SOMEBODY_ELSE, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            assumeTrue(false, "this user cannot make files that belong to another: " + e);
        }
    }

    @Test
    void itIsMadeForItsUserAlone() throws IOException {
        Path made = of(folder.resolve("a/b"));
        assertThat(made).isEqualTo(folder.resolve("a/b/cubins")).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
    }

    @Test
    void theNextIsTakenWhereTheFirstCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(of(file, folder)).isEqualTo(folder.resolve("cubins"));
    }

    @Test
    void whereNoneCanBeUsedEachIsNamedWithItsReason() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path open = withMode("open/cubins", "rwxr-x---");
        assertThatThrownBy(() -> of(file, open.getParent()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Cannot use a cache folder (%s: it cannot be written to; %s: others have access to it: its mode is 750, not 700);"
                                + " set broadloom.cuda.cache to a folder of this user's alone",
                        file, open)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
    }

    @Test
    void aFolderInAFolderThatOthersCanWriteToIsNotUsed() throws IOException {
        Path above = withMode("above", "rwxrwxrwx");
        assertThatThrownBy(() -> of(above.resolve("mine"))).hasMessageContaining(above + ": others can write to it");
        assertThat(of(above.resolve("mine"), folder)).isEqualTo(folder.resolve("cubins"));
        Files.setAttribute(above, "unix:mode", 01777);
        assertThat(of(above.resolve("mine")))
                .as("as in /tmp, nobody else can rename what is in it")
                .isEqualTo(above.resolve("mine/cubins"));
    }

    @Test
    void whoNamesAFolderVouchesForThoseAboveIt() throws IOException {
        Path above = withMode("above", "rwxrwxrwx");
        Root named = new Root(above.resolve("mine"), Above.VOUCHED_FOR);
        Path made = CacheFolder.of("cubins", List.of(named));
        assertThat(made).isEqualTo(above.resolve("mine/cubins"));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> CacheFolder.of("cubins", List.of(named)))
                .hasMessageContaining(made + ": others have access to it: its mode is 777, not 700");
    }

    @Test
    void aFolderOfSomebodyElseIsNotUsed() throws IOException {
        Path made = of(folder.resolve("a"));
        giveAway(made);
        assertThatThrownBy(() -> of(folder.resolve("a"))).hasMessageContaining(made + ": it belongs to 12345");
        Path above = of(folder.resolve("b")).getParent();
        giveAway(above);
        assertThatThrownBy(() -> of(above)).hasMessageContaining(above + ": it belongs to 12345");
    }

    /** The files of this user to which it leads would be taken for the cache's, and deleted in time. */
    @Test
    void aLinkOfSomebodyElseIsNotFollowed() throws IOException {
        Path mine = withMode("mine", "rwx------");
        Path planted = Files.createSymbolicLink(folder.resolve("planted"), mine);
        assertThat(of(planted)).isEqualTo(mine.resolve("cubins"));
        giveAway(planted);
        assertThatThrownBy(() -> of(planted)).hasMessageContaining(planted + ": it belongs to 12345");
        Path named = withMode("named", "rwxrwxrwx");
        Path inNamed = Files.createSymbolicLink(named.resolve("cubins"), mine);
        giveAway(inNamed);
        assertThatThrownBy(() -> CacheFolder.of("cubins", List.of(new Root(named, Above.VOUCHED_FOR))))
                .hasMessageContaining(inNamed + ": it belongs to 12345");
    }

    @Test
    void aFileIsKeptWholeAndThenLeftAlone() throws IOException {
        Path kept = CacheFolder.keep(folder, "lib.so", CONTENT);
        assertThat(kept).hasBinaryContent(CONTENT);
        assertThat(folder.toFile().list()).containsExactly("lib.so");
        Files.setLastModifiedTime(kept, FileTime.fromMillis(1_000));
        CacheFolder.keep(folder, "lib.so", CONTENT);
        assertThat(Files.getLastModifiedTime(kept)).isEqualTo(FileTime.fromMillis(1_000));
    }

    @Test
    void anotherContentOfTheSameSizeIsReplaced() throws IOException {
        Files.writeString(folder.resolve("lib.so"), "A library");
        assertThat(CacheFolder.keep(folder, "lib.so", CONTENT)).hasBinaryContent(CONTENT);
    }

    @Test
    void aLinkIsReplacedAndNotWrittenThrough() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "kept");
        Files.createSymbolicLink(folder.resolve("lib.so"), precious);
        assertThat(CacheFolder.keep(folder, "lib.so", CONTENT)).hasBinaryContent(CONTENT);
        assertThat(folder.resolve("lib.so")).isRegularFile().matches(file -> !Files.isSymbolicLink(file));
        assertThat(precious).hasContent("kept");
    }

    @Test
    void severalAtOnceLeaveOneWholeFile() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Path>> kept = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                kept.add(threads.submit(() -> CacheFolder.keep(folder, "lib.so", CONTENT)));
            }
            for (Future<Path> path : kept) {
                assertThat(path.get()).hasBinaryContent(CONTENT);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(folder.toFile().list()).containsExactly("lib.so");
    }
}
