package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.format.Address;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of {@code months.nc}, which {@code make_months.py} made: 10 * month + year, for two years. */
class ClimatologyTest {
    @TempDir
    Path folder;

    private String months;

    @BeforeEach
    void copy() throws IOException {
        months = folder.resolve("months.nc").toString();
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/months.nc"))) {
            Files.copy(in, Path.of(months));
        }
    }

    private Tensor read(String name) throws IOException {
        return Address.of(folder.resolve(name).toString()).read();
    }

    @Test
    void monthsAreToldByTheTimesOfTheFile() throws IOException {
        String out = folder.resolve("out").toString();
        String said =
                Cli.run("climatology", months + ":t", "--out", out).succeeds().out();
        assertThat(said)
                .contains("float32 [24, 3, 4], 12 groups", "climatology.png: 12 maps, 10.50 to 120.5")
                .contains("anomalies.gif: 24 frames, -0.5000 to 0.5000");
        Tensor means = read("out/climatology.zarr");
        assertThat(means.shape().toArray()).containsExactly(12, 3, 4);
        assertThat(means.getDouble(0, 0, 0)).isEqualTo(10.5);
        assertThat(means.getDouble(11, 2, 3)).isEqualTo(120.5);
        Tensor anomalies = read("out/anomalies.zarr");
        assertThat(anomalies.getDouble(5, 1, 1)).isEqualTo(-0.5);
        assertThat(anomalies.getDouble(17, 1, 1)).isEqualTo(0.5);
        BufferedImage maps = ImageIO.read(folder.resolve("out/climatology.png").toFile());
        assertThat(maps.getColorModel().getNumColorComponents()).isEqualTo(3);
        assertThat(Cli.run("climatology", months + ":t", "--out", out).sentence())
                .contains("climatology.png: it exists and is kept");
    }

    @Test
    void anomaliesAreWrittenInAnyFormatThatIsWritten() throws IOException {
        Cli.run("anomalies", months + ":t", folder.resolve("a.nc") + ":t", "--by", "season")
                .succeeds();
        // Of December to February 120, 121, 10, 11, 20 and 21.
        assertThat(read("a.nc:t").getDouble(0, 0, 0)).isEqualTo((float) (10 - 303 / 6.0));
        Npy.write(Tensors.arange(0.0, 12.0, 1.0).view(6, 2), folder.resolve("x.npy"), WriteMode.CREATE);
        Cli.run(
                        "anomalies",
                        folder.resolve("x.npy").toString(),
                        folder.resolve("y.npy").toString(),
                        "--period",
                        "3")
                .succeeds();
        assertThat(read("y.npy").getDouble(0, 0)).isEqualTo(-3.0);
        assertThat(read("y.npy").getDouble(5, 1)).isEqualTo(3.0);
    }

    @Test
    void whatHasNoTimesIsToldInASentence() throws IOException {
        Npy.write(Tensors.arange(0.0, 12.0, 1.0).view(6, 2), folder.resolve("x.npy"), WriteMode.CREATE);
        String x = folder.resolve("x.npy").toString();
        String out = folder.resolve("z.npy").toString();
        assertThat(Cli.run("anomalies", x, out).sentence()).contains("its dimensions have no names", "--period");
        assertThat(Cli.run("anomalies", months + ":lat", out).sentence())
                .contains("its coordinate lat [3] has no units");
        assertThat(Cli.run("anomalies", x, out, "--period", "0").sentence()).contains("a period of 0");
        assertThat(Files.exists(folder.resolve("z.npy"))).isFalse();
    }
}
