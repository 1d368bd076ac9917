package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomTensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bits of a contraction: those that its documentation says, wherever an element lies and however the operands are cut. */
class ContractionTest {
    private static final CpuBackend BACKEND = new CpuBackend();

    private final RandomTensors random = new RandomTensors(3);

    /** Numbers from -50 to 50, most of them no integers, that lie in one of four ways; no infinity hides what differs. */
    private Tensor numbers(DType dtype, Shape shape) {
        int rank = shape.rank();
        int step = 1 + random.below(2);
        long[] sizes = shape.toArray();
        int[] order = IntStream.range(0, rank).toArray();
        if (random.below(2) == 0) {
            order = IntStream.range(0, rank).map(dim -> rank - 1 - dim).toArray();
        }
        sizes[rank - 1] *= step;
        Tensor stored = Tensors.empty(DType.FLOAT64, Shape.of(sizes));
        Tensor line = stored.flatten();
        for (long i = 0; i < line.numel(); i++) {
            line.set((random.below(100_001) - 50_000) / 1000.0, i);
        }
        return stored.to(dtype).permute(order).copy().permute(order).slice(rank - 1, null, null, step);
    }

    private static Tensor contract(Tensor left, Tensor right, int threads, int... dims) {
        return BACKEND.evaluate(Expr.contract(Input.of(left), Input.of(right), dims), threads);
    }

    /** The tree over panels: the left part has the greatest power of two of them that leaves something. */
    private static float tree(float[] panels, int from, int to) {
        if (to - from == 1) {
            return panels[from];
        }
        int left = Integer.highestOneBit(to - from - 1);
        return tree(panels, from, from + left) + tree(panels, from + left, to);
    }

    private static float sum(float[] x, float[] y) {
        float[] panels = new float[(x.length + Contraction.PANEL - 1) / Contraction.PANEL];
        for (int i = 0; i < x.length; i++) {
            panels[i / Contraction.PANEL] = Math.fma(x[i], y[i], panels[i / Contraction.PANEL]);
        }
        return panels.length == 0 ? 0 : tree(panels, 0, panels.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 255, 256, 257, 512, 1000, 1793, 2400})
    void panelsAreSummedAsAPairwiseTree(int places) {
        Tensor left = numbers(DType.FLOAT32, Shape.of(5, places, 1));
        Tensor right = numbers(DType.FLOAT32, Shape.of(1, places, 19));
        Tensor product = contract(left, right, 2, 1);
        for (int row = 0; row < 5; row++) {
            for (int column = 0; column < 19; column++) {
                float expected = sum(
                        left.select(0, row).flatten().toFloatArray(),
                        right.select(2, column).flatten().toFloatArray());
                assertThat(product.getDouble(row, column)).isEqualTo((double) expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 256, 257, 2047, 2048, 2049, 4096, 5000})
    void productsOfVectorsHaveTheBitsOfAnyOther(int places) {
        Tensor vector = numbers(DType.FLOAT32, Shape.of(1, places));
        Tensor matrix = numbers(DType.FLOAT32, Shape.of(13, places));
        float[] row = vector.toFloatArray();
        float[] expected = new float[13];
        for (int i = 0; i < 13; i++) {
            expected[i] = sum(row, matrix.select(0, i).toFloatArray());
        }
        assertThat(contract(matrix, vector, 2, 1).toFloatArray()).containsExactly(expected);
        assertThat(contract(vector, matrix, 2, 1).toFloatArray()).containsExactly(expected);
        assertThat(contract(vector.expand(13, places), matrix, 2, 1).toFloatArray())
                .containsExactly(expected);
        Tensor square = contract(vector, vector, 2, 1);
        assertThat(square.toFloatArray()).containsExactly(sum(row, row));
    }

    @Test
    void largeProductsOnSeveralThreadsAreThoseOfEachElement() {
        Tensor left = numbers(DType.FLOAT32, Shape.of(300, 700, 1));
        Tensor right = numbers(DType.FLOAT32, Shape.of(1, 700, 530));
        Tensor product = contract(left, right, 3, 1);
        for (int[] place : new int[][] {{0, 0}, {127, 255}, {128, 256}, {299, 529}, {255, 511}, {256, 17}}) {
            float expected = sum(
                    left.select(0, place[0]).flatten().toFloatArray(),
                    right.select(2, place[1]).flatten().toFloatArray());
            assertThat(product.getDouble(place[0], place[1])).isEqualTo((double) expected);
        }
        assertThat(contract(left, right, 1, 1).values()).isEqualTo(product.values());
    }

    @ParameterizedTest
    @EnumSource(names = "BOOL", mode = EnumSource.Mode.EXCLUDE)
    void aPartComputedAloneHasTheBitsOfTheWhole(DType dtype) {
        for (int round = 0; round < 25; round++) {
            long batch = 1 + random.below(6);
            long rows = random.below(4) == 0 ? 1 : 1 + random.below(40);
            long columns = random.below(4) == 0 ? 1 : 1 + random.below(40);
            long places = random.below(3) == 0 ? 257 + random.below(600) : 1 + random.below(40);
            Tensor left = numbers(dtype, Shape.of(batch, rows, places, 1));
            Tensor right = numbers(dtype, Shape.of(batch, 1, places, columns));
            Tensor whole = contract(left, right, 2, 2);
            long[] sizes = {batch, rows, 0, columns};
            for (int dim : new int[] {0, 1, 3}) {
                long start = random.below((int) sizes[dim]);
                long length = 1 + random.below((int) (sizes[dim] - start));
                Tensor part = contract(cut(left, dim, start, length), cut(right, dim, start, length), 1, 2);
                assertThat(bits(part))
                        .as("%s %s x %s, dimension %d", dtype, left.shape(), right.shape(), dim)
                        .isEqualTo(bits(whole.narrow(dim == 3 ? 2 : dim, start, length)));
            }
        }
    }

    private static Tensor cut(Tensor operand, int dim, long start, long length) {
        return operand.shape().size(dim) == 1 ? operand : operand.narrow(dim, start, length);
    }

    private static List<Object> bits(Tensor tensor) {
        List<Object> bits = new ArrayList<>();
        for (Object value : tensor.values()) {
            bits.add(value instanceof Double real ? (Object) Double.doubleToRawLongBits(real) : value);
        }
        return bits;
    }

    /** Everything that a dimension can be, in every order, against the broadcast product and its sum in float64. */
    @Test
    void anyRolesOfTheDimensionsInAnyOrderAreTheSumOfTheProduct() {
        for (int round = 0; round < 300; round++) {
            int rank = 1 + random.below(5);
            long[] a = new long[rank];
            long[] b = new long[rank];
            List<Integer> dims = new ArrayList<>();
            for (int dim = 0; dim < rank; dim++) {
                long size = 1 + random.below(4);
                int role = random.below(4);
                a[dim] = role == 0 ? 1 : size;
                b[dim] = role == 1 ? 1 : size;
                if (role == 2) {
                    dims.add(dim);
                }
            }
            if (dims.isEmpty()) {
                b[0] = a[0];
                dims.add(0);
            }
            int[] contracted = dims.stream().mapToInt(Integer::intValue).toArray();
            Tensor left = random.tensor(DType.INT32, Shape.of(a));
            Tensor right = random.tensor(DType.INT32, Shape.of(b));
            LazyTensor product = LazyTensor.of(left).mul(right).sum(contracted).to(DType.INT32);
            Tensor got = contract(left, right, 2, contracted);
            assertThat(got.shape()).isEqualTo(product.shape());
            assertThat(got.isContiguous()).isTrue();
            assertThat(got.values()).isEqualTo(product.compute().values());
        }
    }

    @Test
    void nothingToSumIsZero() {
        Tensor none = contract(Tensors.zeros(2, 0, 1), Tensors.zeros(1, 0, 3), 1, 1);
        assertThat(none.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(none.values()).containsOnly(0.0);
        assertThat(contract(Tensors.zeros(0, 4, 1), Tensors.zeros(1, 4, 3), 1, 1)
                        .shape())
                .isEqualTo(Shape.of(0, 3));
    }

    @Test
    void infinitiesAndNaNsStayInTheirRowsAndColumns() {
        Tensor left = Tensors.of(Float.POSITIVE_INFINITY, 1f, 2f, 3f).view(2, 2, 1);
        Tensor right = Tensors.of(0f, 1f, Float.intBitsToFloat(0xFFC12345), 1f).view(1, 2, 2);
        Tensor product = contract(left, right, 1, 1);
        assertThat(product.values()).containsExactly(Double.NaN, Double.POSITIVE_INFINITY, Double.NaN, 5.0);
        assertThat(Float.floatToRawIntBits(product.toFloatArray()[2])).isEqualTo(Float.floatToRawIntBits(Float.NaN));
    }

    @Test
    void halvesAreSummedInFloat32AndRoundedOnce() {
        Tensor left = Tensors.of(60000f, 60000f, -60000f).to(DType.FLOAT16).view(1, 3);
        Tensor ones = Tensors.of(1f, 1f, 1f).to(DType.FLOAT16).view(1, 3);
        assertThat(contract(left, ones, 1, 1).values()).containsExactly(60000.0);
    }
}
