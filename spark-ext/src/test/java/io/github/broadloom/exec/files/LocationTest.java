package io.github.broadloom.exec.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.spark.RemoteFileSystem;
import io.github.broadloom.spark.RemoteFileSystem.Operation;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationTest {
    /** Of most file systems, in bytes. */
    private static final int LONGEST_NAME = 255;

    @TempDir
    Path folder;

    private Location location(String scheme) throws IOException {
        SparkContext context = LocalSpark.session().sparkContext();
        context.hadoopConfiguration().set("fs.remote.impl", RemoteFileSystem.class.getName());
        return Location.of(scheme + folder.resolve("parts"), context);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "remote://"})
    void aTaskThatComesTooLateDoesNotBringADeletedFolderBack(String scheme) throws IOException {
        Location parts = location(scheme);
        parts.createDirectory();
        parts.child("part-00000.npy").create().close();
        parts.delete();
        assertThatThrownBy(() -> parts.child("part-00001.npy").create()).isInstanceOf(IOException.class);
        assertThat(folder).isEmptyDirectory();
    }

    /** What stands for hdfs where files are renamed over others, as hdfs's own class does: nothing writes the bytes again. */
    public static final class RenamesOver extends DelegateToFileSystem {
        public RenamesOver(URI uri, Configuration settings) throws IOException, URISyntaxException {
            super(URI.create("remote:///"), new RemoteFileSystem(), settings, "remote", false);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', false", "remote://, false", "remote://, true"})
    void aFileIsReplacedByAnother(String scheme, boolean renames) throws IOException {
        String setting = "fs.AbstractFileSystem.remote.impl";
        Configuration settings = LocalSpark.session().sparkContext().hadoopConfiguration();
        if (renames) {
            settings.set(setting, RenamesOver.class.getName());
        }
        List<Operation> asked = new ArrayList<>();
        try {
            Location parts = location(scheme);
            parts.createDirectory();
            for (String text : List.of("first", "second")) {
                try (OutputStream out = parts.child("new").create()) {
                    out.write(text.getBytes(StandardCharsets.UTF_8));
                }
                RemoteFileSystem.watch((operation, path) -> asked.add(operation));
                parts.child("new").replace(parts.child("old"));
                RemoteFileSystem.unwatch();
                assertThat(folder.resolve("parts/old")).hasContent(text);
                assertThat(folder.resolve("parts/new")).doesNotExist();
            }
        } finally {
            settings.unset(setting);
            RemoteFileSystem.unwatch();
        }
        assertThat(asked.contains(Operation.CREATE)).isEqualTo(!scheme.isEmpty() && !renames);
    }

    @Test
    void aFolderIsDeletedWhileTasksStillWriteToIt() throws Exception {
        Location parts = location("");
        parts.createDirectory();
        Path path = folder.resolve("parts");
        Thread writer = new Thread(() -> {
            try {
                for (int i = 0; i < 1_000_000; i++) {
                    Files.createFile(path.resolve("part-" + i));
                }
            } catch (IOException gone) {
                // The folder is: what the test is about.
            }
        });
        writer.start();
        while (Files.notExists(path.resolve("part-200"))) {
            Thread.onSpinWait();
        }
        parts.delete();
        writer.join();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderWhoseNameLeavesNoRoomForAHiddenOneIsDeletedWhereItIs() throws Exception {
        Location parts = location("").sibling("p".repeat(LONGEST_NAME));
        parts.createDirectory();
        parts.child("part-00000.npy").create().close();
        Location inner = parts.child("inner");
        inner.createDirectory();
        inner.child("part-00000.npy").create().close();
        parts.delete();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aLinkIsDeletedAndNotWhatItLeadsTo() throws Exception {
        Location parts = location("");
        parts.createDirectory();
        Path kept = Files.createDirectory(folder.resolve("kept"));
        Files.createFile(kept.resolve("part-00000.npy"));
        Files.createSymbolicLink(folder.resolve("parts").resolve("link"), kept);
        parts.delete();
        assertThat(folder.toFile().list()).containsExactly("kept");
        assertThat(kept).isNotEmptyDirectory();
    }
}
