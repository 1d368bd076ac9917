package io.github.broadloom.exec.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What writers that ended from outside have left goes with the next overwrite of their target, and nothing else does. */
class TemporariesTest {
    @TempDir
    Path folder;

    private Location target;

    @BeforeEach
    void begin() throws IOException {
        target =
                Location.of(folder.resolve("x").toString(), LocalSpark.session().sparkContext());
    }

    /** A folder with a part that another writer has left, or is writing. */
    private Path left(String name) throws IOException {
        Path left = Files.createDirectory(folder.resolve(name));
        Files.writeString(left.resolve(".part-00000.npy.1.tmp"), "half of it");
        return left;
    }

    private static String ended() {
        try {
            Process process = new ProcessBuilder("sleep", "0").start();
            process.waitFor();
            return Long.toString(process.pid(), 36);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A name of this process with another machine, process or start: {@code .x.MACHINE-PROCESS-START-RANDOM.tmp}. */
    private String nameWith(int field, String other) {
        Location own = Temporaries.of(target);
        Temporaries.over(own);
        String[] fields = own.fileName().substring(".x.".length()).split("-");
        fields[field] = other;
        return ".x." + String.join("-", fields);
    }

    private void overwrite() throws IOException {
        LocalSpark.broadloom()
                .tensor(Tensors.ones(3), 2)
                .writeNpy(folder.resolve("x").toString(), WriteMode.OVERWRITE);
    }

    @Test
    void whatAProcessThatEndedHasLeftIsDeletedByAnOverwriteOfItsTarget() throws IOException {
        left(nameWith(1, ended()));
        left(nameWith(2, "1")); // the process has another start: another one has its number
        left(nameWith(3, "01234567.tmp")); // this process itself, which writes there no more
        LocalSpark.broadloom()
                .tensor(Tensors.ones(3), 2)
                .writeNpy(folder.resolve("x").toString(), WriteMode.CREATE);
        assertThat(folder.toFile().list()).hasSize(4);
        overwrite();
        assertThat(folder.toFile().list()).containsExactly("x");
    }

    @Test
    void whatSomebodyMayBeWritingOrIsOfAnotherTargetIsKept() throws IOException {
        List<String> kept = new ArrayList<>();
        Location living = Temporaries.of(target);
        kept.add(living.fileName());
        kept.add(nameWith(0, "01234567"));
        String dead = nameWith(1, ended());
        kept.add("." + dead);
        kept.add(dead.replace(".x.", ".x2."));
        kept.add(".x.backup.tmp");
        for (String name : kept) {
            left(name);
        }
        overwrite();
        Temporaries.over(living);
        kept.add("x");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void whatAnotherMachineHasNotTouchedForAWeekIsDeleted() throws IOException {
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
        Path abandoned = left(nameWith(0, "01234567"));
        Path inUse = left(nameWith(0, "76543210"));
        Files.setLastModifiedTime(abandoned.resolve(".part-00000.npy.1.tmp"), old);
        Files.setLastModifiedTime(abandoned, old);
        Files.setLastModifiedTime(inUse, old); // but not what is in it
        overwrite();
        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder("x", inUse.getFileName().toString());
    }
}
