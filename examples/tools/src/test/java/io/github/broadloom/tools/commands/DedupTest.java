package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code examples/run dedup}: groups are the connected components of the pairs that are near enough. */
class DedupTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = SparkSession.builder()
                .master("local[2]")
                .appName("dedup")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate();
    }

    @AfterAll
    static void stop() {
        spark.stop();
        spark = null;
    }

    /** The least of each row's component, by union and find. */
    private static final class Components {
        private final int[] parents;

        Components(int rows) {
            parents = new int[rows];
            Arrays.setAll(parents, row -> row);
        }

        int of(int row) {
            while (parents[row] != row) {
                row = parents[row];
            }
            return row;
        }

        void tie(int row, int other) {
            int a = of(row);
            int b = of(other);
            parents[Math.max(a, b)] = Math.min(a, b);
        }
    }

    /** Chains whose rows are in any order, a star, and rings. */
    private static List<int[]> graph(int rows, long seed) {
        List<Integer> names = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            names.add(row);
        }
        Collections.shuffle(names, new Random(seed));
        List<int[]> pairs = new ArrayList<>();
        for (int row = 1; row < rows; row++) {
            if (row % 97 != 0) {
                int before = row < rows / 3 ? row - 1 : row < rows / 2 ? row - row % 97 : row - 1 - row % 2 % row;
                pairs.add(new int[] {names.get(row), names.get(before)});
            }
        }
        pairs.removeIf(pair -> pair[0] == pair[1]);
        return pairs;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 30, 700})
    void groupsAreConnectedComponents(int rows) {
        List<int[]> pairs = graph(rows, rows);
        Components expected = new Components(rows);
        List<Row> table = new ArrayList<>();
        for (int[] pair : pairs) {
            expected.tie(pair[0], pair[1]);
            table.add(RowFactory.create((long) pair[0], (long) pair[1]));
        }
        StructType columns = new StructType().add("row", DataTypes.LongType).add("other", DataTypes.LongType);
        DuplicateGroups search = new DuplicateGroups();
        Dataset<Row> stars = search.of(spark.createDataFrame(table, columns));
        int[] groups = new int[rows];
        Arrays.setAll(groups, row -> row);
        for (Row row : stars.collectAsList()) {
            groups[(int) row.getLong(0)] = (int) row.getLong(1);
        }
        for (int row = 0; row < rows; row++) {
            assertThat(groups[row]).isEqualTo(expected.of(row));
        }
        assertThat(search.rounds()).isLessThan(10);
        stars.unpersist();
    }

    @Test
    void noPairsAreNoGroups() {
        StructType columns = new StructType().add("row", DataTypes.LongType).add("other", DataTypes.LongType);
        assertThat(new DuplicateGroups()
                        .of(spark.createDataFrame(List.<Row>of(), columns))
                        .count())
                .isZero();
    }

    private long[] groups(Path out) {
        return spark.read().parquet(out.resolve("groups.parquet").toString()).sort("row").collectAsList().stream()
                .mapToLong(row -> row.getLong(1))
                .toArray();
    }

    /** 40 rows at one place are more than are looked for at first. */
    @Test
    void rowsOfAGroupAreFoundHoweverManyThereAre() throws IOException {
        float[] values = new float[60];
        for (int row = 0; row < values.length; row++) {
            values[row] = row < 40 ? 7 + row % 2 : row < 50 ? 100 + row : row * row;
        }
        String data = write("x.npy", Tensors.copyOf(values, 60, 1)).toString();
        Path out = folder.resolve("out");
        Cli run = Cli.run("dedup", data, "--threshold", "1", "-k", "4", "--out", out.toString());
        assertThat(run.succeeds().out())
                .contains("the 4 nearest: 40 rows", "the 32 nearest: 40 rows", "the 60 nearest: 0 rows")
                .contains("a group of 40 rows, the first of them 0", "a group of 10 rows, the first of them 40");
        long[] groups = groups(out);
        for (int row = 0; row < 60; row++) {
            assertThat(groups[row]).isEqualTo(row < 40 ? 0 : row < 50 ? 40 : row);
        }
        assertThat(ImageIO.read(out.resolve("sizes.png").toFile()).getWidth()).isGreaterThan(700);
        assertThat(Cli.run("dedup", data, "--threshold", "1", "--out", out.toString())
                        .sentence())
                .contains("--overwrite");
        assertThat(Cli.run("dedup", data, "--threshold", "0.5", "--most", "16", "--overwrite", "--out", out.toString())
                        .succeeds()
                        .out())
                .contains("40 rows only the 16 nearest are taken", "a group of 20 rows, the first of them 0");
    }

    @Test
    void whatCannotBeGroupedIsToldAndLeavesNothing() throws IOException {
        String data = write("x.npy", Tensors.zeros(4, 2)).toString();
        Path out = folder.resolve("out");
        assertThat(Cli.run("dedup", data, "--out", out.toString()).sentence()).contains("--threshold");
        assertThat(Cli.run("dedup", data, "--threshold", "NaN", "--out", out.toString())
                        .sentence())
                .contains("takes a number");
        assertThat(Cli.run("dedup", data, "--threshold", "1", "-k", "0", "--out", out.toString())
                        .sentence())
                .contains("-k takes at least 1");
        assertThat(Cli.run("dedup", "no.npy", "--threshold", "1", "--out", out.toString())
                        .sentence())
                .contains("no.npy");
        assertThat(out).doesNotExist();
        Files.createDirectories(out.resolve("groups.parquet"));
        Files.writeString(out.resolve("groups.parquet/mine.txt"), "kept");
        assertThat(Cli.run("dedup", data, "--threshold", "1", "--overwrite", "--out", out.toString())
                        .sentence())
                .contains("other files");
    }

    @Test
    @Tag("full")
    void withoutDataItMakesSome() throws IOException {
        Path out = folder.resolve("out");
        assertThat(Cli.run("dedup", "--rows", "300", "--out", out.toString())
                        .succeeds()
                        .out())
                .contains("float32 [300, 16]", "a group of");
        Tensor x = Npy.read(out.resolve("x.npy"));
        long[] groups = groups(out);
        for (int row = 0; row < 300; row++) {
            if (groups[row] != row) {
                assertThat(Points.distance(Points.rows(x)[row], Points.rows(x)[(int) groups[row]]))
                        .isLessThan(0.1);
            }
        }
    }

    private Path write(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        Npy.write(tensor, file, WriteMode.CREATE);
        return file;
    }
}
