package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Order statistics of lines that are too long for a task are found by counting, to the bits that sorting has. */
class SelectionTest {
    private static final int ROWS = 211;
    private static final int COLUMNS = 3;

    /** Of equal values, both zeros, and of floating dtypes both infinities and values that differ in their last bits alone. */
    private static Tensor numbers(DType dtype) {
        Random random = new Random(dtype.ordinal());
        double[] values = new double[ROWS * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(7) - 3;
                case 1 -> -0.0;
                case 2 -> 1 + random.nextInt(9) * 0x1p-50;
                default -> random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4);
            };
        }
        values[5] = Double.POSITIVE_INFINITY;
        values[100] = Double.NEGATIVE_INFINITY;
        Tensor doubles = Tensors.copyOf(values, ROWS, COLUMNS);
        return dtype.isFloatingPoint()
                ? doubles.to(dtype)
                : LazyTensor.of(doubles)
                        .clamp(-100, 100)
                        .mul(dtype.isSigned() ? 1 : 0.5)
                        .to(dtype)
                        .compute();
    }

    private static Stream<String> texts(DType dtype) {
        Stream<String> medians = Stream.of("median(x)", "median(x, 0)", "nanmedian(x)", "median(x[:, 1] * 1)");
        boolean quantiles = dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
        return quantiles
                ? Stream.concat(
                        medians,
                        Stream.of(
                                "quantile(x, 0.3)",
                                "quantile(x, 0, 0)",
                                "nanquantile(x, 0.999, 0)",
                                "quantile(x, [0.1, 0.5, 1.0])",
                                "quantile(x, 0.77, interpolation='nearest')",
                                "quantile(x, 0.2, 0, interpolation='midpoint')",
                                "x - median(x, 0)"))
                : medians;
    }

    static Stream<DType> dtypes() {
        return Stream.of(DType.values()).filter(dtype -> dtype != DType.BOOL);
    }

    @SomeOf(value = "dtypes", oneIn = 3)
    void theBitsAreThoseOfSorting(DType dtype) {
        Tensor x = numbers(dtype);
        List<Tensor> all = new ArrayList<>(List.of(x));
        if (dtype.isFloatingPoint()) {
            all.add(LazyTensor.of(x).mul(Double.NaN).compute());
            all.add(LazyTensor.eval("where(x > 1, nan, x)", Map.of("x", x)).compute());
        }
        for (Tensor each : all) {
            for (int chunks : new int[] {2, 7}) {
                DistributedTensor cut =
                        LocalSpark.broadloom().withChunkBytes(96).tensor(each, chunks);
                texts(dtype)
                        .forEach(text -> Bits.assertSame(
                                LocalSpark.broadloom()
                                        .withChunkBytes(96)
                                        .eval(text, Map.of("x", cut))
                                        .collect(),
                                LazyTensor.eval(text, Map.of("x", each)).compute()));
            }
        }
    }

    @Test
    void itTakesAsManyPassesAsSaidWhateverIsAsked() throws Exception {
        for (DType dtype : List.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT64)) {
            Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(96);
            DistributedTensor x = broadloom.tensor(numbers(dtype), 7);
            Map<String, String> texts = new LinkedHashMap<>(Map.of("middle", "median(x)"));
            if (dtype != DType.FLOAT16) {
                texts.put("ends", "quantile(x, [0.05, 0.95])");
            }
            DistributedTensor[] asked =
                    broadloom.evalAll(texts, Map.of("x", x)).values().toArray(DistributedTensor[]::new);
            int passes = dtype.bytes() == 8 ? 3 : dtype.bytes() / 2;
            assertThat(broadloom.explainAll(asked))
                    .contains(
                            passes == 1
                                    ? "found in one pass over 7 chunks"
                                    : "found in " + passes + " passes over 7 chunks")
                    .contains(" shuffle 0 B · " + passes + (passes == 1 ? " job " : " jobs "));
            try (Jobs jobs = Jobs.listen()) {
                broadloom.collectAll(asked);
                assertThat(jobs.descriptions()).as(dtype.toString()).hasSize(passes);
            }
        }
    }
}
