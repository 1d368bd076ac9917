package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.safetensors.Safetensors;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in files, and how they become others. */
class InfoTest {
    @TempDir
    Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void everyArrayIsToldAndTheLargestDrawn() throws IOException {
        Safetensors.write(
                Map.of("w", Tensors.arange(0, 400, 1, DType.FLOAT32).view(20, 20), "b", Tensors.arange(3)),
                Map.of("format", "pt"),
                folder.resolve("model.safetensors"),
                WriteMode.CREATE);
        String out = Cli.run("info", path("model.safetensors"), "--out", path("out"))
                .succeeds()
                .out();
        assertThat(out.lines())
                .startsWith(
                        path("model.safetensors") + ": safetensors, 2 arrays, " + sizeOf("model.safetensors"),
                        "  b  int64 [3], 24 bytes, little-endian",
                        "      format: pt",
                        "  w  float32 [20, 20], 1.6 kB, little-endian",
                        "      format: pt");
        BufferedImage picture =
                ImageIO.read(folder.resolve("out/first-plane.png").toFile());
        assertThat(picture.getWidth()).isGreaterThan(20);
        assertThat(Cli.run("info", path("model.safetensors") + ":b", "--no-picture")
                        .succeeds()
                        .out())
                .contains("1 array", "  b  int64 [3]")
                .doesNotContain("w  float32");
    }

    private String sizeOf(String name) throws IOException {
        return io.github.broadloom.tools.console.ByteSize.inWords(Files.size(folder.resolve(name)));
    }

    @Test
    void whatNobodyKnowsIsToldInASentence() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "no numbers");
        assertThat(Cli.run("info", path("notes.txt")).sentence()).contains("it is of no known format (");
        assertThat(Cli.run("info", path("none.zarr")).sentence()).contains("there is no such file");
        Files.write(folder.resolve("broken.npy"), new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1});
        assertThat(Cli.run("info", path("broken.npy")).sentence()).startsWith("broadloom: Cannot read ");
    }

    @Test
    void filesBecomeOneInAnotherFormat() throws IOException {
        Tensor x = Tensors.arange(0, 60, 1, DType.INT32).view(4, 15);
        for (int day = 0; day < 3; day++) {
            Npy.write(x, folder.resolve("day-" + day + ".npy"), WriteMode.CREATE);
        }
        String out = Cli.run(
                        "convert",
                        path("day-*.npy"),
                        path("days.zarr"),
                        "--stack",
                        "0",
                        "--dtype",
                        "float64",
                        "--chunks",
                        "2x3x-1")
                .succeeds()
                .out();
        assertThat(out.lines()).first().isEqualTo(path("day-*.npy") + ": int32 [3, 4, 15], 720 bytes");
        assertThat(Cli.run("info", path("days.zarr"), "--no-picture").succeeds().out())
                .contains("float64 [3, 4, 15], 1.4 kB, chunks [2, 3, 15]");
        assertThat(Cli.run("convert", path("days.zarr"), path("days.zarr"), "--append", "1", "--chunks", "1x1x1")
                        .sentence())
                .contains("it keeps those that it has");
        Cli.run("convert", path("days.zarr"), path("days.zarr"), "--append", "1")
                .succeeds();
        assertThat(Cli.run("info", path("days.zarr"), "--no-picture").succeeds().out())
                .contains("float64 [3, 8, 15], 2.9 kB, chunks [2, 3, 15]");
        Cli.run("convert", path("days.zarr"), path("days.npy")).succeeds();
        Tensor back = Npy.read(folder.resolve("days.npy"));
        assertThat(back.dtype()).isEqualTo(DType.FLOAT64);
        assertThat(back.select(0, 2).narrow(0, 4, 4).contiguous().toDoubleArray())
                .containsExactly(x.to(DType.FLOAT64).toDoubleArray());
        assertThat(Cli.run("convert", path("days.zarr"), path("days.npy")).sentence())
                .contains("exists");
        assertThat(Cli.run("convert", path("days.zarr"), path("x.npy"), "--chunks", "2xtwo")
                        .sentence())
                .contains("write sizes as 24x180x360");
    }
}
