package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in order, and places of equal ones, by the definition: a list of places sorted by value and then by place. {@code order.jsonl} holds PyTorch's results. */
class OrderTest {
    /** A few values many times, with NaN, infinities and both zeros among them where the dtype has those. */
    private static Tensor line(DType dtype, int length, int distinct) {
        Random random = new Random(length + dtype.ordinal());
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0};
        double[] values = random.doubles(length, 0, distinct)
                .map(value -> dtype.isFloatingPoint() && random.nextInt(4) == 0
                        ? special[random.nextInt(special.length)]
                        : Math.floor(value) - (dtype.isSigned() ? distinct / 2 : 0))
                .toArray();
        return LazyTensor.of(Tensors.copyOf(values, length)).to(dtype).compute();
    }

    /** Zeros are equal, and NaN is the greatest. */
    private static double number(Object value) {
        double number = value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).doubleValue();
        return number + 0.0;
    }

    private static List<Object> places(List<Object> values, Order order) {
        Comparator<Integer> byValue = Comparator.comparingDouble(place -> number(values.get(place)));
        Comparator<Integer> ordered = order == Order.ASCENDING ? byValue : byValue.reversed();
        return IntStream.range(0, values.size())
                .boxed()
                .sorted(ordered.thenComparing(Comparator.naturalOrder()))
                .<Object>map(place -> (long) place)
                .toList();
    }

    private static List<Object> at(List<Object> values, List<Object> places) {
        return places.stream()
                .map(place -> values.get(((Long) place).intValue()))
                .toList();
    }

    private static void assertOrdered(ValuesAndIndices<LazyTensor> got, List<Object> values, List<Object> places) {
        assertThat(got.indices().compute().values()).isEqualTo(places);
        assertThat(got.values().compute().values()).isEqualTo(at(values, places));
    }

    @ParameterizedTest
    @EnumSource
    void everyLengthOfEveryDtypeIsSortedByValueAndThenByPlace(DType dtype) {
        for (int length : new int[] {1, 2, 40, 41, 300, 5000}) {
            Tensor tensor = line(dtype, length, 5);
            List<Object> values = tensor.values();
            LazyTensor x = LazyTensor.of(tensor);
            for (Order order : Order.values()) {
                assertOrdered(x.sort(order, 0), values, places(values, order));
            }
            assertThat(x.argsort(0).compute().values()).isEqualTo(places(values, Order.ASCENDING));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFirstOfEqualValuesAreTaken(DType dtype) {
        if (dtype == DType.BOOL) {
            return;
        }
        for (int distinct : new int[] {3, 100}) {
            Tensor tensor = line(dtype, 5000, distinct);
            List<Object> values = tensor.values();
            LazyTensor x = LazyTensor.of(tensor);
            for (Order order : Order.values()) {
                List<Object> places = places(values, order);
                for (int k : new int[] {0, 1, 10, 100, 1000, 3000, 5000}) {
                    assertOrdered(x.topk(k, order, 0), values, places.subList(0, k));
                }
            }
            List<Object> places = places(values, Order.ASCENDING);
            for (int k : new int[] {1, 10, 2500, 5000}) {
                assertOrdered(x.kthvalue(k, 0), values, places.subList(k - 1, k));
            }
        }
    }

    /** Each value is below the bound. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void valuesThatGetBetterAndBetter(boolean descending) {
        Order order = Order.of(descending);
        Tensor tensor = Tensors.arange(100_000);
        LazyTensor x = LazyTensor.of(tensor).mul(descending ? 1 : -1);
        List<Object> places =
                IntStream.range(0, 7).<Object>mapToObj(i -> 99_999L - i).toList();
        assertThat(x.topk(7, order, 0).indices().compute().values()).isEqualTo(places);
    }

    @Test
    void linesOfEveryDimensionAndOfManyThreads() {
        Tensor tensor = line(DType.FLOAT32, 6 * 50 * 40, 30).reshape(6, 50, 40);
        LazyTensor x = LazyTensor.of(tensor);
        LazyTensor turned = LazyTensor.of(tensor.permute(0, 2, 1));
        assertThat(x.sort(1).indices().compute().values())
                .isEqualTo(turned.sort(2).indices().permute(0, 2, 1).compute().values());
        assertThat(x.topk(3, 1).values().compute().values())
                .isEqualTo(turned.topk(3).values().permute(0, 2, 1).compute().values());
        ValuesAndIndices<LazyTensor> kept = x.kthvalue(4, KeepDim.KEEP, 1);
        assertThat(kept.values().shape().toArray()).containsExactly(6, 1, 40);
        assertThat(kept.indices().compute().values())
                .isEqualTo(turned.kthvalue(4, 2).indices().compute().values());
    }

    @Test
    void ofWhatIsComputedOnTheWay() {
        LazyTensor x = LazyTensor.of(Tensors.copyOf(new float[] {3, -5, 1, 4}, 4));
        assertThat(x.abs().topk(2).values().neg().compute().values()).containsExactly(-5.0, -4.0);
    }

    @Test
    void bracketsBehindACallTakeOneOfBoth() {
        Map<String, Tensor> names = Map.of("x", Tensors.copyOf(new float[] {3, 1, 2}, 1, 3));
        assertThat(LazyTensor.eval("sort(x)[1]", names).compute().values()).containsExactly(1L, 2L, 0L);
        assertThat(LazyTensor.eval("sort(x)[0][0]", names).compute().values()).containsExactly(1.0, 2.0, 3.0);
        assertThat(LazyTensor.eval("(sort(x))[0]", names).compute().values()).containsExactly(1.0, 2.0, 3.0);
        assertThat(LazyTensor.eval("median(x)", names).compute().values()).containsExactly(2.0);
        for (String index : List.of("0:1", "None", "..., 0", "0, 0", "")) {
            assertThatThrownBy(() -> LazyTensor.eval("topk(x, 1)[" + index + "]", names))
                    .hasMessageStartingWith(
                            "Cannot index topk(…): it gives values and indices; write .values or .indices"
                                    + " in front of the bracket");
        }
        assertThatThrownBy(() -> LazyTensor.eval("topk(x)", names))
                .hasMessageStartingWith(
                        "Cannot call topk: k is missing; it takes input, k, dim=-1, largest=True, sorted=True");
    }
}
