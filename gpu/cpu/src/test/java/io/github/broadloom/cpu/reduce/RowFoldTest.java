package io.github.broadloom.cpu.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowFoldTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    private static Tensor random(long seed, long... shape) {
        Random random = new Random(seed);
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(6)));
        }
        return Tensors.copyOf(values, shape);
    }

    /** Work below the reduction, so that the fold stands over a fused expression. */
    private static Reduce reduce(Reduction reduction, Tensor x, int... dims) {
        Expr times = Expr.apply(Op.of("mul"), Input.of(x), Expr.literal(1.7));
        return (Reduce) Expr.reduce(reduction, times, KeepDim.DROP, dims);
    }

    private static Tensor inChunks(Reduction reduction, Tensor x, int[] dims, Random random) {
        long rows = x.shape().size(0);
        List<FoldNode> nodes = new ArrayList<>();
        for (long first = 0; first < rows; ) {
            long length = Math.min(rows - first, 1 + random.nextInt(random.nextBoolean() ? 5 : (int) rows));
            nodes.addAll(CPU.partials(reduce(reduction, x.narrow(0, first, length), dims), first));
            first += length;
        }
        Collections.shuffle(nodes, random);
        RowFold fold = RowFold.of(reduce(reduction, x, dims));
        nodes.forEach(fold::push);
        return fold.finish();
    }

    /** Rows that are wider than a tile go through the caches in stripes of columns: each column is what it is by itself. */
    @ParameterizedTest
    @EnumSource(Reduction.class)
    void wideRowsAreFoldedAsTheirColumnsAre(Reduction reduction) {
        Random random = new Random(8);
        Tensor rows = random(9, 43, 3, 1501);
        Tensor transposed = random(10, 1501, 3, 43).permute(2, 1, 0);
        for (Tensor x : List.of(rows, rows.narrow(0, 0, 1), rows.narrow(0, 0, 3), transposed)) {
            Tensor whole = inChunks(reduction, x, new int[] {0}, random);
            for (int i = 0; i < 3; i++) {
                for (int[] columns : new int[][] {{0, 800}, {800, 701}}) {
                    Tensor part = x.narrow(1, i, 1).narrow(2, columns[0], columns[1]);
                    assertThat(whole.narrow(0, i, 1)
                                    .narrow(1, columns[0], columns[1])
                                    .copy()
                                    .values())
                            .as("%s of %s", reduction, x.layout())
                            .isEqualTo(inChunks(reduction, part, new int[] {0}, random)
                                    .values());
                }
            }
        }
    }

    /** So do wide indices of an inner dimension. */
    @ParameterizedTest
    @EnumSource(Reduction.class)
    void wideIndicesAreFoldedAsTheirColumnsAre(Reduction reduction) {
        Tensor stored = random(11, 3, 43, 2, 401);
        Tensor transposed = random(12, 401, 2, 43, 3).permute(3, 2, 1, 0);
        for (Tensor x : List.of(stored, stored.narrow(1, 1, 8), transposed)) {
            Tensor whole = CPU.evaluate(reduce(reduction, x, 1));
            for (int first = 0; first < 401; first += 50) {
                int count = Math.min(50, 401 - first);
                for (int i = 0; i < 2; i++) {
                    Tensor columns = x.narrow(2, i, 1).narrow(3, first, count);
                    assertThat(whole.narrow(1, i, 1)
                                    .narrow(2, first, count)
                                    .copy()
                                    .values())
                            .as("%s of %s", reduction, x.layout())
                            .isEqualTo(
                                    CPU.evaluate(reduce(reduction, columns, 1)).values());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Reduction.class)
    void anyCutOfTheRowsGivesTheSameBits(Reduction reduction) {
        Random random = new Random(7);
        Tensor vector = random(1, 5003);
        Tensor matrix = random(2, 201, 37);
        Tensor box = random(3, 67, 3, 50, 2);
        for (int i = 0; i < 20; i++) {
            same(reduction, vector, new int[] {0}, random);
            same(reduction, matrix, new int[] {0}, random);
            same(reduction, matrix, new int[] {0, 1}, random);
            same(reduction, box, new int[] {0}, random);
            if (!reduction.isPosition()) { // which is along one dimension, or among all
                same(reduction, box, new int[] {0, 2}, random);
                same(reduction, box, new int[] {0, 1, 3}, random);
            }
        }
    }

    private static void same(Reduction reduction, Tensor x, int[] dims, Random random) {
        Tensor whole = CPU.evaluate(reduce(reduction, x, dims));
        Tensor cut = inChunks(reduction, x, dims, random);
        assertThat(cut.shape()).isEqualTo(whole.shape());
        assertThat(cut.values()).isEqualTo(whole.values());
    }

    @Test
    void rowsOfAKeptLeadingDimensionDoNotDependOnTheirNeighbours() {
        Tensor x = random(4, 23, 3, 700);
        Tensor whole = CPU.evaluate(reduce(Reduction.SUM, x, 2));
        for (int row = 0; row < 23; row++) {
            Tensor alone = CPU.evaluate(reduce(Reduction.SUM, x.narrow(0, row, 1), 2));
            assertThat(alone.values()).isEqualTo(whole.narrow(0, row, 1).values());
        }
    }

    @Test
    void theOrderDoesNotDependOnTheLayout() {
        Tensor x = random(5, 40, 30, 20);
        Tensor stored = x.permute(2, 0, 1).copy().permute(1, 2, 0);
        for (int[] dims : new int[][] {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
            assertThat(CPU.evaluate(reduce(Reduction.SUM, stored, dims)).values())
                    .isEqualTo(CPU.evaluate(reduce(Reduction.SUM, x, dims)).values());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 1000, 2048, 2049, 100_003})
    void aSumIsTheExactSumToTheLastBits(int count) {
        Tensor x = random(6, count).to(DType.FLOAT64);
        BigDecimal exact = BigDecimal.ZERO;
        double magnitude = 0;
        for (double value : x.toDoubleArray()) {
            exact = exact.add(new BigDecimal(value));
            magnitude += Math.abs(value);
        }
        double got = CPU.evaluate(Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP))
                .getDouble();
        assertThat(got).isCloseTo(exact.doubleValue(), Offset.offset(magnitude * 18 * 0x1p-53));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "0 1", "0 2", "1 2", "0 1 2"})
    void integersAreSummedExactlyOverAnyDimensions(String dimensions) {
        int[] dims =
                Arrays.stream(dimensions.split(" ")).mapToInt(Integer::parseInt).toArray();
        Tensor x = Tensors.arange(-500, 2500, 1).view(10, 20, 15);
        Tensor got = CPU.evaluate(Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.KEEP, dims));
        long[] naive = new long[(int) got.numel()];
        for (long i = 0; i < 3000; i++) {
            long[] index = {i / 300, i / 15 % 20, i % 15};
            for (int dim : dims) {
                index[dim] = 0;
            }
            naive[
                    (int) ((index[0] * got.shape().size(1) + index[1])
                                    * got.shape().size(2)
                            + index[2])] += i - 500;
        }
        assertThat(got.toLongArray()).isEqualTo(naive);
    }

    @Test
    void aMeanOfNothingIsNaNAndASumOfNothingIsZero() {
        Tensor empty = Tensors.zeros(0, 3);
        RowFold mean = RowFold.of((Reduce) Expr.reduce(Reduction.MEAN, Input.of(empty), KeepDim.DROP, 0));
        assertThat(mean.finish().values()).containsExactly(Double.NaN, Double.NaN, Double.NaN);
        assertThat(CPU.evaluate(Expr.reduce(Reduction.SUM, Input.of(Tensors.zeros(2, 0)), KeepDim.DROP, 1))
                        .values())
                .containsExactly(0.0, 0.0);
    }

    @Test
    void aScalarReducesToItself() {
        Reduce sum = (Reduce) Expr.reduce(Reduction.SUM, Input.of(Tensors.scalar(2.5)), KeepDim.DROP);
        assertThat(CPU.evaluate(sum).item()).isEqualTo(2.5);
        assertThat(CPU.partials(sum, 0)).hasSize(1);
    }

    @Test
    void aChunkSendsFewNodes() {
        Tensor x = Tensors.ones(100_000);
        Reduce sum = (Reduce) Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP, 0);
        assertThat(CPU.partials(sum, 12_345)).hasSizeLessThan(34);
    }

    @Test
    void reductionsTakenTogetherHaveTheNodesThatEachHasAlone() {
        Tensor x = random(8, 97, 5, 60);
        Tensor y = random(9, 97, 5, 60);
        List<Reduce> together = List.of(
                reduce(Reduction.MEAN, x, 0, 2),
                reduce(Reduction.SUM, y, 0),
                reduce(Reduction.STD, x, 0, 2),
                reduce(Reduction.AMAX, x, 0),
                reduce(Reduction.MEAN, x, 0, 2));
        List<List<FoldNode>> nodes = CPU.partials(together, 31);
        assertThat(nodes).hasSameSizeAs(together);
        for (int i = 0; i < together.size(); i++) {
            assertThat(nodes.get(i))
                    .isEqualTo(CPU.partials(together.get(i), 31))
                    .isNotEmpty();
        }
    }

    /** Of narrow rows, of such as go in stripes, of several operands in one pass, and of one reduction asked for twice. */
    @ParameterizedTest
    @EnumSource(Reduction.class)
    void chunksGoOnWithTheNodesOfThoseBefore(Reduction reduction) {
        Random random = new Random(9);
        for (long columns : new long[] {7, 5003}) {
            Tensor x = random(10, 61, columns);
            Tensor y = random(11, 61, columns);
            List<Tensor> whole = evaluated(together(reduction, x, y));
            List<RowFold> folds =
                    together(reduction, x, y).stream().map(RowFold::of).toList();
            for (long first = 0; first < 61; ) {
                long length = Math.min(61 - first, 1 + random.nextInt(11));
                List<Reduce> chunk = together(reduction, x.narrow(0, first, length), y.narrow(0, first, length));
                CPU.partials(chunk, first, folds);
                first += length;
            }
            for (int i = 0; i < folds.size(); i++) {
                assertThat(folds.get(i).finish().values())
                        .as("output %d of %d columns", i, columns)
                        .isEqualTo(whole.get(i).values());
            }
        }
    }

    private static List<Tensor> evaluated(List<Reduce> reductions) {
        return reductions.stream().map(CPU::evaluate).toList();
    }

    private static List<Reduce> together(Reduction reduction, Tensor x, Tensor y) {
        Expr product = Expr.apply(Op.of("mul"), Input.of(x), Input.of(y));
        Reduce ofX = reduce(reduction, x, 0);
        return List.of(
                ofX,
                (Reduce) Expr.reduce(reduction, product, KeepDim.DROP, 0),
                reduce(Reduction.SUM, y, 0),
                reduce(Reduction.SUM, x, 0),
                ofX);
    }

    @Test
    void aNodeTravels() throws IOException, ClassNotFoundException {
        FoldNode node = new FoldNode(3, 5, new double[] {1.5, Double.NaN});
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(node);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(node);
        }
        assertThat(node.first()).isEqualTo(40);
        assertThat(node.end()).isEqualTo(48);
    }

    @Test
    void missingAndDoubledRowsAreNamed() {
        Tensor x = Tensors.ones(10);
        Reduce whole = (Reduce) Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP, 0);
        Reduce head = (Reduce) Expr.reduce(Reduction.SUM, Input.of(x.narrow(0, 0, 4)), KeepDim.DROP, 0);
        RowFold fold = RowFold.of(whole);
        CPU.partials(head, 0).forEach(fold::push);
        assertThatThrownBy(fold::finish)
                .hasMessage("Cannot finish reduction: row 4 of 10 is missing; push every chunk");
        assertThatThrownBy(() -> CPU.partials(head, 0).forEach(fold::push))
                .hasMessageContaining("are there already; push each chunk once");
        assertThatThrownBy(() -> CPU.partials(head, 8).forEach(fold::push))
                .hasMessageContaining("the tensor has 10 rows");
    }
}
