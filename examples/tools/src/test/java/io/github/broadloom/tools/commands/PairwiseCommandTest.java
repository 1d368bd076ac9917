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

/** {@code examples/run pairwise}: files in, files out. */
class PairwiseCommandTest {
    @TempDir
    Path folder;

    @Test
    void filesGoInAndFilesComeOut() throws IOException {
        double[][] a = Points.random(30, 2, 5);
        double[][] b = Points.random(20, 2, 6);
        Path left = write("a.npy", Points.tensor(a));
        Path right = write("b.npy", Points.tensor(b));
        Path out = folder.resolve("out folder");
        Cli run = Cli.run("pairwise", left.toString(), right.toString(), "--out", out.toString());
        assertThat(run.succeeds().out())
                .contains("a.npy: float64 [30, 2]", "float64 [30, 20, 2]", "9.6 kB", "align", "replicate", "(ran 1)");
        long[] index = Npy.read(out.resolve("index.npy")).toLongArray();
        for (int row = 0; row < 30; row++) {
            assertThat(index[row]).isEqualTo(Points.nearest(a[row], b, Metric.EUCLIDEAN));
        }
        assertThat(Npy.read(out.resolve("distance.npy")).dtype()).isEqualTo(DType.FLOAT64);
        assertThat(ImageIO.read(out.resolve("nearest.png").toFile()).getWidth()).isGreaterThan(1000);
        assertThat(out.resolve("plan.svg")).content().startsWith("<svg").contains("a.npy");
        assertThat(out.resolve("plan.html")).content().contains("<!DOCTYPE html>", "<svg", "measured", "a.npy");
        assertThat(names(out))
                .containsExactlyInAnyOrder("index.npy", "distance.npy", "nearest.png", "plan.svg", "plan.html");
    }

    @Test
    void withoutFilesItMakesPointsAndReplacesThemOnlyWhenAsked() throws IOException {
        List<String> command =
                new ArrayList<>(List.of("pairwise", "--rows", "300", "--columns", "5", "--out", folder.toString()));
        Cli.run(command.toArray(String[]::new)).succeeds();
        assertThat(Npy.read(folder.resolve("a.npy")).shape()).hasToString("[300, 5]");
        assertThat(Npy.read(folder.resolve("b.npy")).shape()).hasToString("[100, 5]");
        byte[] made = Files.readAllBytes(folder.resolve("a.npy"));
        assertThat(Cli.run(command.toArray(String[]::new)).sentence())
                .contains("index.npy")
                .contains("--overwrite");
        command.addAll(List.of("--overwrite", "--others", "50"));
        Cli.run(command.toArray(String[]::new)).succeeds();
        assertThat(Files.readAllBytes(folder.resolve("a.npy")))
                .as("the same seed")
                .isEqualTo(made);
        assertThat(Npy.read(folder.resolve("b.npy")).shape()).hasToString("[50, 5]");
    }

    /** 3.4 GB of differences, and 215 MB of distances, in tensors of 64 MB and the least heap that Spark runs in. */
    @Tag("full") // computes for ten seconds
    @Test
    void morePairsThanTheMemoryHolds() throws IOException, InterruptedException {
        String said = ChildJvm.run(
                List.of("-Xmx512m", "-XX:MaxDirectMemorySize=64m", "-Dbroadloom.memory.limit=" + (64L << 20)),
                folder,
                "pairwise",
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
        assertThat(said).contains("float32 [7000, 7500, 16]", "would be 3.4 GB", "heap of this process is 536.9 MB");
        double[][] a = Points.rows(Npy.read(folder.resolve("a.npy")));
        double[][] b = Points.rows(Npy.read(folder.resolve("b.npy")));
        float[] distance = Npy.read(folder.resolve("distance.npy")).toFloatArray();
        for (int row = 0; row < 7000; row += 499) {
            double expected = Points.distance(a[row], b[Points.nearest(a[row], b, Metric.EUCLIDEAN)], Metric.EUCLIDEAN);
            assertThat((double) distance[row]).isCloseTo(expected, within(1e-6));
        }
    }

    @Test
    void whatCannotBeComparedIsToldAndLeavesNothing() throws IOException {
        String a = write("a.npy", Tensors.zeros(4, 2)).toString();
        String wide = write("wide.npy", Tensors.zeros(4, 3)).toString();
        String line = write("line.npy", Tensors.zeros(4)).toString();
        String empty = write("empty.npy", Tensors.zeros(0, 2)).toString();
        String out = folder.resolve("out").toString();
        assertThat(Cli.run("pairwise", a, "--out", out).sentence())
                .contains("alone")
                .contains("name B");
        assertThat(Cli.run("pairwise", a, a, wide, "--out", out).sentence())
                .contains("3 files")
                .contains("wide.npy");
        assertThat(Cli.run("pairwise", a, wide, "--out", out).sentence())
                .contains("[4, 2]")
                .contains("[4, 3]")
                .contains("2 and 3 columns");
        assertThat(Cli.run("pairwise", a, line, "--out", out).sentence())
                .contains("line.npy")
                .contains("[4]");
        assertThat(Cli.run("pairwise", a, empty, "--out", out).sentence()).contains("nothing in it");
        assertThat(Cli.run("pairwise", a, "no.npy", "--out", out).sentence())
                .isEqualTo("broadloom: Cannot open no.npy: there is no such file");
        assertThat(Cli.run("pairwise", a, a, "--rows", "3", "--out", out).sentence())
                .contains("--rows");
        assertThat(Cli.run("pairwise", "--rows", "0", "--out", out).sentence()).contains("--rows");
        assertThat(Cli.run("pairwise", a, a, "--metric", "warp", "--out", out).sentence())
                .contains("'warp'", "EUCLIDEAN");
        String broken = Cli.copy("/npy/truncated.npy", folder).toString();
        assertThat(Cli.run("pairwise", a, broken, "--out", out).sentence()).contains("truncated.npy");
        assertThat(Cli.run("pairwise", a, a, "--out", a).sentence()).contains(a + " is a file, not a folder");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aRowWithNaNIsNearToNothing() throws IOException {
        String whole = write("whole.npy", Tensors.zeros(3, 2)).toString();
        String hole = write("hole.npy", Tensors.copyOf(new float[] {1, 2, Float.NaN, 4}, 2, 2))
                .toString();
        String out = folder.resolve("out").toString();
        assertThat(Cli.run("pairwise", whole, hole, "--out", out).sentence())
                .contains("hole.npy")
                .contains("1 row with NaN");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(Cli.run("pairwise", hole, whole, "--out", out).succeeds().out())
                .contains("1 row of A");
        float[] distance = Npy.read(folder.resolve("out/distance.npy")).toFloatArray();
        assertThat(distance[0]).isEqualTo((float) Math.sqrt(5));
        assertThat(distance[1]).isNaN();
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
            Cli.run("pairwise", one, b, "--out", out.toString()).succeeds();
            assertThat(ImageIO.read(out.resolve("nearest.png").toFile()).getWidth())
                    .isGreaterThan(1000);
        }
        assertThat(Npy.read(folder.resolve("of far.npy/index.npy")).toLongArray())
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
