package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.ChildJvm;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/run nearest}: files in, files out. */
class NearestCommandTest {
    @TempDir
    Path folder;

    @Test
    void filesGoInAndFilesComeOut() throws IOException {
        double[][] a = Points.random(30, 2, 5);
        double[][] b = Points.random(20, 2, 6);
        Path left = write("a.npy", Points.tensor(a));
        Path right = write("b.npy", Points.tensor(b));
        Path out = folder.resolve("out folder");
        Cli run = Cli.run("nearest", left.toString(), right.toString(), "--out", out.toString());
        assertThat(run.succeeds().out())
                .contains("a.npy: float64 [30, 2]", "float64 [30, 20]", "4.8 kB", "right side broadcast", "600 pairs");
        long[] index = Npy.read(out.resolve("indices.npy")).select(1, 0).toLongArray();
        for (int row = 0; row < 30; row++) {
            assertThat(index[row]).isEqualTo(Points.nearest(a[row], b));
        }
        assertThat(Npy.read(out.resolve("distances.npy")).dtype()).isEqualTo(DType.FLOAT64);
        assertThat(Npy.read(out.resolve("distances.npy")).shape()).hasToString("[30, 5]");
        assertThat(ImageIO.read(out.resolve("nearest.png").toFile()).getWidth()).isGreaterThan(1000);
        assertThat(out.resolve("plan.txt")).content().contains("Nearest 5 by distance", "matrix products (euclidean)");
        assertThat(names(out)).containsExactlyInAnyOrder("indices.npy", "distances.npy", "nearest.png", "plan.txt");
    }

    @Test
    @Tag("full")
    void withoutFilesItMakesPointsAndReplacesThemOnlyWhenAsked() throws IOException {
        List<String> command =
                new ArrayList<>(List.of("nearest", "--rows", "300", "--columns", "5", "--out", folder.toString()));
        Cli.run(command.toArray(String[]::new)).succeeds();
        assertThat(Npy.read(folder.resolve("a.npy")).shape()).hasToString("[300, 5]");
        assertThat(Npy.read(folder.resolve("b.npy")).shape()).hasToString("[100, 5]");
        byte[] made = Files.readAllBytes(folder.resolve("a.npy"));
        assertThat(Cli.run(command.toArray(String[]::new)).sentence())
                .contains("indices.npy")
                .contains("--overwrite");
        command.addAll(List.of("--overwrite", "--others", "50"));
        Cli.run(command.toArray(String[]::new)).succeeds();
        assertThat(Files.readAllBytes(folder.resolve("a.npy")))
                .as("the same seed")
                .isEqualTo(made);
        assertThat(Npy.read(folder.resolve("b.npy")).shape()).hasToString("[50, 5]");
    }

    /** 420 MB of distances, in tensors of 64 MB and the least heap that Spark runs in. */
    @Tag("full") // computes for ten seconds
    @Test
    void morePairsThanTheMemoryHolds() throws IOException, InterruptedException {
        String said = ChildJvm.run(
                List.of("-Xmx512m", "-XX:MaxDirectMemorySize=64m", "-Dbroadloom.memory.limit=" + (64L << 20)),
                folder,
                "nearest",
                "--rows",
                "7000",
                "--others",
                "7500",
                "--columns",
                "16",
                "--master",
                "local[2]",
                "--out",
                folder.toString());
        assertThat(said).contains("float64 [7000, 7500]", "would be 420.0 MB", "heap of this process is 536.9 MB");
        double[][] a = Points.rows(Npy.read(folder.resolve("a.npy")));
        double[][] b = Points.rows(Npy.read(folder.resolve("b.npy")));
        Tensor distances = Npy.read(folder.resolve("distances.npy"));
        for (int row = 0; row < 7000; row += 499) {
            double expected = Points.distance(a[row], b[Points.nearest(a[row], b)]);
            assertThat(distances.getDouble(row, 0)).isCloseTo(expected, within(1e-12));
        }
    }

    @Test
    void whatCannotBeComparedIsToldAndLeavesNothing() throws IOException {
        String a = write("a.npy", Tensors.zeros(4, 2)).toString();
        String wide = write("wide.npy", Tensors.zeros(4, 3)).toString();
        String line = write("line.npy", Tensors.zeros(4)).toString();
        String empty = write("empty.npy", Tensors.zeros(0, 2)).toString();
        String out = folder.resolve("out").toString();
        assertThat(Cli.run("nearest", a, "--out", out).sentence())
                .contains("alone")
                .contains("name B");
        assertThat(Cli.run("nearest", a, a, wide, "--out", out).sentence())
                .contains("3 files")
                .contains("wide.npy");
        assertThat(Cli.run("nearest", a, wide, "--out", out).sentence())
                .contains("[4, 2]")
                .contains("[4, 3]")
                .contains("2 and 3 columns");
        assertThat(Cli.run("nearest", a, line, "--out", out).sentence())
                .contains("line.npy")
                .contains("[4]");
        assertThat(Cli.run("nearest", a, empty, "--out", out).sentence()).contains("nothing in it");
        assertThat(Cli.run("nearest", a, "no.npy", "--out", out).sentence())
                .isEqualTo("broadloom: Cannot open no.npy: there is no such file");
        assertThat(Cli.run("nearest", a, a, "--rows", "3", "--out", out).sentence())
                .contains("--rows");
        assertThat(Cli.run("nearest", "--rows", "0", "--out", out).sentence()).contains("--rows");
        assertThat(Cli.run("nearest", a, a, "-k", "0", "--out", out).sentence()).contains("at least 1");
        assertThat(Cli.run("nearest", a, a, "--out", out).sentence()).contains("nearest 5", "at most 4");
        assertThat(Cli.run("nearest", a, a, "--metric", "warp", "--out", out).sentence())
                .contains("'warp'", "EUCLIDEAN");
        String broken = Cli.copy("/npy/truncated.npy", folder).toString();
        assertThat(Cli.run("nearest", a, broken, "--out", out).sentence()).contains("truncated.npy");
        assertThat(Cli.run("nearest", a, a, "-k", "1", "--out", a).sentence()).contains(a + " is a file, not a folder");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    @Tag("full")
    void aRowWithNaNIsNearToNothing() throws IOException {
        String whole = write("whole.npy", Tensors.zeros(3, 2)).toString();
        String hole = write("hole.npy", Tensors.copyOf(new float[] {Float.NaN, 2, 1, 2}, 2, 2))
                .toString();
        Path out = folder.resolve("out");
        Cli.run("nearest", whole, hole, "-k", "1", "--out", out.toString()).succeeds();
        assertThat(Npy.read(out.resolve("indices.npy")).toLongArray()).containsExactly(1, 1, 1);
        assertThat(Cli.run("nearest", hole, whole, "-k", "2", "--overwrite", "--out", out.toString())
                        .succeeds()
                        .out())
                .contains("1 row of A");
        double[] distances = Npy.read(out.resolve("distances.npy")).toDoubleArray();
        assertThat(distances).containsExactly(Double.NaN, Double.NaN, Math.sqrt(5), Math.sqrt(5));
    }

    /** Distances below zero have a picture, too. */
    @Tag("full") // starts the tool for each
    @Test
    void everyMetricIsTaken() throws IOException {
        String a = write("a.npy", Points.tensor(Points.random(50, 3, 7))).toString();
        for (String metric : List.of("cosine", "inner_product", "chebyshev", "manhattan", "sqeuclidean")) {
            Path out = folder.resolve(metric);
            Cli.run("nearest", a, a, "--metric", metric, "-k", "50", "--out", out.toString())
                    .succeeds();
            assertThat(Npy.read(out.resolve("indices.npy")).shape()).hasToString("[50, 50]");
        }
    }

    @Test
    void pointsAtInfinityAndASingleTargetHaveAPictureToo() throws IOException {
        float infinity = Float.POSITIVE_INFINITY;
        String far = write("far.npy", Tensors.copyOf(new float[] {infinity, 1, 2, 3}, 2, 2))
                .toString();
        String all = write("all.npy", Tensors.copyOf(new float[] {infinity, 1}, 1, 2))
                .toString();
        String one =
                write("one.npy", Tensors.copyOf(new float[] {0.5f, 0.5f}, 1, 2)).toString();
        for (String b : List.of(far, all, one)) {
            Path out = folder.resolve("of " + Path.of(b).getFileName());
            Cli.run("nearest", one, b, "-k", "1", "--out", out.toString()).succeeds();
            assertThat(ImageIO.read(out.resolve("nearest.png").toFile()).getWidth())
                    .isGreaterThan(1000);
        }
        assertThat(Npy.read(folder.resolve("of far.npy/indices.npy")).toLongArray())
                .containsExactly(1);
    }

    private Path write(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        Npy.write(tensor, file, WriteMode.CREATE);
        return file;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
