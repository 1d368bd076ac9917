package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.nearest.NearestRows;
import io.github.broadloom.nearest.PairBlocks;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.NearestByHand;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The least products that a GPU finds are the first of all of them, sorted; and the nearest rows are those that the CPU finds, to the bit. */
@WithFakeGpu
class LeastProductsTest {
    private static final Device CUDA = Device.of("cuda");
    private static final Comparator<Double> NAN_FIRST =
            Comparator.comparing((Double value) -> !value.isNaN()).thenComparing(value -> value + 0.0);

    private static Tensor tensor(double[][] rows) {
        return Tensors.copyOf(Stream.of(rows).flatMapToDouble(Arrays::stream).toArray(), rows.length, rows[0].length);
    }

    /** Of whole numbers, whose sums are exact in any order. */
    private static double[][] numbers(int rows, int places, long seed) {
        Random random = new Random(seed);
        double[] rare = {-0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        double[][] numbers = new double[rows][places];
        for (double[] row : numbers) {
            Arrays.setAll(row, i -> random.nextInt(5) - 2);
            if (random.nextInt(6) == 0) {
                row[random.nextInt(places)] = rare[random.nextInt(rare.length)];
            }
        }
        return numbers;
    }

    private static double product(double[] row, double[] column) {
        return IntStream.range(0, row.length)
                .mapToDouble(i -> row[i] * column[i])
                .sum();
    }

    private static void areTheFirst(double[][] rows, double[][] columns, int count, long atOnce, long bytes) {
        long[] found = new CudaLeastProducts(Gpus.gpu(CUDA), new CudaLeastProducts.Limits(atOnce, bytes))
                .of(tensor(rows).to(DType.FLOAT32), tensor(columns).to(DType.FLOAT32), count)
                .orElseThrow();
        assertThat(found).hasSize(rows.length * count);
        for (int row = 0; row < rows.length; row++) {
            double[] products = new double[columns.length];
            for (int column = 0; column < columns.length; column++) {
                products[column] = product(rows[row], columns[column]);
            }
            int[] order = IntStream.range(0, columns.length)
                    .boxed()
                    .sorted(Comparator.comparing((Integer column) -> products[column], NAN_FIRST))
                    .mapToInt(Integer::intValue)
                    .toArray();
            for (int place = 0; place < count; place++) {
                long key = found[row * count + place];
                assertThat(LeastProducts.column(key))
                        .as("row %s, place %s", row, place)
                        .isEqualTo(order[place]);
                assertThat(LeastProducts.product(key) + 0.0).isEqualTo(Double.valueOf(products[order[place]] + 0.0));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1000", "7, 3", "7, 30", "1000, 40", "1000, 1000"})
    void howeverColumnsAreCutIntoBlocksAndParts(int block, int part) {
        double[][] rows = numbers(9, 6, 1);
        double[][] columns = numbers(90, 6, 2);
        for (int count : new int[] {1, 13, 90}) {
            areTheFirst(rows, columns, count, block * (long) rows.length, part * 6L * Float.BYTES);
        }
    }

    /** Each is less than all before it, so that memory is full again and again. */
    @ParameterizedTest
    @CsvSource({"1", "40", "1500", "3072"})
    void moreThanSharedMemoryHas(int count) {
        double[][] falling = new double[6000][1];
        Arrays.setAll(falling, i -> new double[] {6000 - i});
        areTheFirst(new double[][] {{1}, {-1}, {0}}, falling, count, 3 * 2500, 1 << 20);
    }

    private static void isAsOnCpu(double[][] a, double[][] b, int k, VectorMetric metric) {
        ValuesAndIndices<Tensor> there = NearestRows.of(tensor(a), tensor(b), k, metric, CUDA, 1);
        ValuesAndIndices<Tensor> here = NearestRows.of(tensor(a), tensor(b), k, metric, Device.CPU, 1);
        assertThat(there.indices().toLongArray()).isEqualTo(here.indices().toLongArray());
        assertThat(there.values().toDoubleArray()).isEqualTo(here.values().toDoubleArray());
    }

    /** With NaN, infinities, zeros, duplicates: in one dimension so many that scores do not tell them apart. */
    @ParameterizedTest
    @EnumSource
    void nearestRowsAreThoseOfTheCpu(VectorMetric metric) {
        for (int dimensions : new int[] {1, 5}) {
            double[][] a = NearestByHand.points(60, dimensions, 1);
            double[][] b = NearestByHand.points(300, dimensions, 2);
            for (int k : new int[] {1, 7, 300}) {
                isAsOnCpu(a, b, k, metric);
            }
            isAsOnCpu(Arrays.copyOf(a, 1), Arrays.copyOf(b, 1), 1, metric);
        }
    }

    private static double[][] random(int rows, int columns, long seed) {
        Random random = new Random(seed);
        double[][] points = new double[rows][columns];
        Stream.of(points).forEach(point -> Arrays.setAll(point, i -> random.nextGaussian()));
        return points;
    }

    /** One row that is too far away for scores stays here, and keeps no other here. */
    @Test
    void theOtherRowsGoThereOnceAndAFewCandidatesComeBack() {
        double[][] a = random(2500, 4, 3);
        double[][] b = random(5001, 4, 4);
        Arrays.fill(b[7], 1e30);
        long up = GpuCounter.UPLOADED_BYTES.sum();
        long down = GpuCounter.DOWNLOADED_BYTES.sum();
        isAsOnCpu(a, b, 3, VectorMetric.EUCLIDEAN);
        assertThat(GpuCounter.UPLOADED_BYTES.sum() - up).isEqualTo((2500 + 5000) * 5 * Float.BYTES);
        assertThat(GpuCounter.DOWNLOADED_BYTES.sum() - down).isEqualTo(2500 * (2 * 3 + 32) * Long.BYTES);
    }

    @Test
    void ofMoreThanSharedMemoryHasTheProductsComeBack() {
        int k = PairBlocks.MOST_ON_GPU + 1;
        long down = GpuCounter.DOWNLOADED_BYTES.sum();
        isAsOnCpu(random(3, 4, 5), random(3500, 4, 6), k, VectorMetric.COSINE);
        assertThat(GpuCounter.DOWNLOADED_BYTES.sum() - down).isGreaterThanOrEqualTo(3 * 3500 * Float.BYTES);
    }

    @Test
    void withoutMemoryTheCpuFindsThem() {
        FakeGpus.closeAll();
        FakeDriver.load().memoryLimit(100_000);
        long onCpu = GpuCounter.ON_CPU_FOR_MEMORY.sum();
        isAsOnCpu(random(700, 4, 7), random(900, 4, 8), 3, VectorMetric.INNER_PRODUCT);
        assertThat(GpuCounter.ON_CPU_FOR_MEMORY.sum()).isGreaterThan(onCpu);
        FakeGpus.closeAll();
    }
}
