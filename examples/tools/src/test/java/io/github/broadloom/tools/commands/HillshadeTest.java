package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.Npz;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HillshadeTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("hillshade")
                .config("spark.ui.enabled", "false")
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    @Test
    void theJacksboroFaultAsTheFormulaHasIt() throws IOException {
        Tensor shade = run("--azimuths", "5", "--altitude", "30", "--cell", "83");
        assertThat(shade.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(shade.shape()).hasToString("[5, 342, 401]");
        float[] got = shade.toFloatArray();
        double[] z = Npz.read(Path.of(Cli.data("jacksboro_fault_dem.npz")), "elevation")
                .to(DType.FLOAT64)
                .toDoubleArray();
        for (int n = 0; n < 5; n++) {
            for (int row = 1; row < 343; row++) {
                for (int column = 1; column < 402; column++) {
                    double expected = shade(z, 403, row, column, 83, 72.0 * n, 30);
                    assertThat((double) got[(n * 342 + row - 1) * 401 + column - 1])
                            .isCloseTo(expected, within(1e-6));
                }
            }
        }
    }

    @Test
    void everyPictureCanBeRead() throws IOException {
        Cli run = Cli.run("hillshade", "--azimuths", "6", "--out", folder.toString())
                .succeeds();
        assertThat(run.out()).contains("cell 83.1 m").contains("hillshade.npy: float32 [6, 342, 401]");
        BufferedImage sheet = ImageIO.read(folder.resolve("hillshade.png").toFile());
        assertThat(sheet.getWidth()).isGreaterThan(2 * 401);
        assertThat(sheet.getHeight()).isGreaterThan(2 * 342);
        try (ImageInputStream stream =
                ImageIO.createImageInputStream(folder.resolve("hillshade.gif").toFile())) {
            ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
            reader.setInput(stream);
            assertThat(reader.getNumImages(true)).isEqualTo(6);
            BufferedImage frame = reader.read(5);
            Tensor shade = Npy.read(folder.resolve("hillshade.npy"));
            assertThat((frame.getRGB(200, 100) & 0xff) / 255.0).isCloseTo(shade.getDouble(5, 100, 200), within(0.02));
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("hillshade.npy", "hillshade.png", "hillshade.gif");
        }
    }

    @Test
    void levelGroundIsAsBrightAsTheLightIsHigh() throws IOException {
        Tensor shade = run(
                "--input",
                write(Tensors.full(Shape.of(5, 4), 250.0)).toString(),
                "--altitude",
                "30",
                "--azimuths",
                "4");
        assertThat(shade.shape()).hasToString("[4, 3, 2]");
        for (float value : shade.toFloatArray()) {
            assertThat(value).isEqualTo(0.5f, within(1e-7f));
        }
    }

    @Test
    void aSlopeFacingTheLightIsBright() throws IOException {
        // Rising towards the south east, so it faces north west, at 45 degrees; azimuths 0, 45, …, 315.
        float[] ramp = new float[25];
        for (int i = 0; i < 25; i++) {
            ramp[i] = (float) (10 * (i / 5 + i % 5) / Math.sqrt(2));
        }
        Path file = write(Tensors.copyOf(ramp, 5, 5));
        Tensor shade = run("--input", file.toString(), "--cell", "10", "--azimuths", "8", "--altitude", "45");
        assertThat(shade.getDouble(7, 1, 1)).isCloseTo(1, within(1e-6));
        assertThat(shade.getDouble(3, 1, 1)).as("from behind").isCloseTo(0, within(1e-6));
        assertThat(shade.getDouble(5, 1, 1)).as("from the side").isCloseTo(0.5, within(1e-6));
    }

    @Test
    void picturesOfItsOwnAreReplacedOnlyWhenAsked() {
        String[] again = {"hillshade", "--azimuths", "2", "--out", folder.toString()};
        Cli.run(again).succeeds();
        assertThat(Cli.run(again).sentence()).contains("hillshade.npy").contains("--overwrite");
        Cli.run("hillshade", "--azimuths", "3", "--out", folder.toString(), "--overwrite")
                .succeeds();
    }

    private Tensor run(String... options) throws IOException {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "hillshade";
        System.arraycopy(options, 0, arguments, 1, options.length);
        arguments[options.length + 1] = "--out";
        arguments[options.length + 2] = folder.resolve("out").toString();
        Cli.run(arguments).succeeds();
        return Npy.read(folder.resolve("out/hillshade.npy"));
    }

    private Path write(Tensor elevation) throws IOException {
        Path file = folder.resolve("z.npy");
        Npy.write(elevation, file, WriteMode.CREATE);
        return file;
    }

    /** The formula in double precision, cell by cell. */
    private static double shade(
            double[] z, int width, int row, int column, double cell, double azimuthDegrees, double altitudeDegrees) {
        double p = (z[row * width + column + 1] - z[row * width + column - 1]) / (2 * cell);
        double q = (z[(row + 1) * width + column] - z[(row - 1) * width + column]) / (2 * cell);
        double a = Math.toRadians(azimuthDegrees);
        double h = Math.toRadians(altitudeDegrees);
        double light = -p * Math.sin(a) * Math.cos(h) + q * Math.cos(a) * Math.cos(h) + Math.sin(h);
        return Math.max(0, light / Math.sqrt(1 + p * p + q * q));
    }
}
