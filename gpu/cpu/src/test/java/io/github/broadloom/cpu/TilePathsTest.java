package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomTensors;
import io.github.broadloom.testkit.random.RandomTensors.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elements of every dtype come from and go to the right places, wherever tensors lie, with sizes around the borders of
 * tiles: {@code where} moves elements and computes nothing, and the expected ones are read one by one.
 */
class TilePathsTest {
    private static final CpuBackend BACKEND = new CpuBackend();
    private static final int MOST_ELEMENTS = 6_000;
    /** Of many dimensions, whose tensors may lie in storages that are three times as long along each. */
    private static final int MOST_OF_MANY = 400;

    private static final long[] SIZES = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 511, 513, 600
    };

    private final RandomTensors random = new RandomTensors(11);

    private Shape shape() {
        List<Long> sizes = new ArrayList<>();
        int rank = random.below(9);
        long elements = 1;
        for (int dim = 0; dim < rank; dim++) {
            long size = SIZES[random.below(rank > 4 ? 6 : SIZES.length)];
            sizes.add(elements * size > (rank > 4 ? MOST_OF_MANY : MOST_ELEMENTS) ? 1 : size);
            elements *= sizes.get(dim);
        }
        return Shape.of(sizes.stream().mapToLong(Long::longValue).toArray());
    }

    private static void assertChosen(Tensor got, Tensor mask, Tensor x, Tensor y) {
        Tensor m = mask.expand(got.shape().toArray());
        List<Object> yes = x.expand(got.shape().toArray()).values();
        List<Object> no = y.expand(got.shape().toArray()).values();
        List<Object> choice = m.values();
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < choice.size(); i++) {
            expected.add(((Boolean) choice.get(i) ? yes : no).get(i));
        }
        assertThat(got.values())
                .as("where(%s, %s, %s)", mask.layout(), x.layout(), y.layout())
                .isEqualTo(expected);
    }

    private static Expr where(Tensor mask, Tensor x, Tensor y) {
        return Expr.apply(Op.of("where"), Input.of(mask), Input.of(x), Input.of(y));
    }

    @ParameterizedTest
    @EnumSource
    void everyLayoutIsReadRight(DType dtype) {
        for (int i = 0; i < 20; i++) {
            Shape shape = shape();
            Tensor mask = random.tensor(DType.BOOL, random.broadcastInto(shape));
            Tensor x = random.tensor(dtype, shape);
            Tensor y = random.tensor(dtype, random.broadcastInto(shape));
            assertChosen(BACKEND.evaluate(where(mask, x, y)), mask, x, y);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyLayoutIsWrittenRight(DType dtype) {
        for (int i = 0; i < 12; i++) {
            Shape shape = shape();
            Tensor mask = random.tensor(DType.BOOL, random.broadcastInto(shape));
            Tensor x = random.tensor(dtype, shape, View.CONTIGUOUS);
            Tensor y = random.tensor(dtype, random.broadcastInto(shape));
            Tensor target = random.tensor(dtype, shape, View.PERMUTED_STEPPED_AND_NARROWED);
            BACKEND.evaluateInto(where(mask, x, y), target, 1 + random.below(2));
            assertChosen(target, mask, x, y);
            BACKEND.evaluateInto(Input.of(x), target, 1);
            assertThat(target.values()).as("a copy").isEqualTo(x.values());
        }
    }

    @ParameterizedTest
    @EnumSource
    void transposedBlocksAreWhole(DType dtype) {
        for (int rows : new int[] {1, 7, 9, 16, 65}) {
            for (int columns : new int[] {3, 31, 129}) {
                Tensor x = random.tensor(dtype, Shape.of(columns, rows), View.CONTIGUOUS)
                        .t();
                Tensor y = random.tensor(dtype, Shape.of(rows, columns), View.CONTIGUOUS);
                Tensor mask = random.tensor(DType.BOOL, Shape.of(columns), View.CONTIGUOUS);
                assertChosen(BACKEND.evaluate(where(mask, x, y)), mask, x, y);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shortPatternsRepeatWithoutAGap(int channels) {
        for (int pixels : new int[] {1, 100, 169, 170, 171, 512, 700}) {
            Tensor x = Tensors.arange((long) pixels * channels * 3).view(3, pixels, channels);
            Tensor perChannel = Tensors.arange(channels);
            Tensor perPixel = Tensors.arange(pixels).view(pixels, 1);
            Tensor perImage = Tensors.arange(3).view(3, 1, 1);
            Expr sum = Input.of(x);
            for (Tensor operand : List.of(perChannel, perPixel, perImage)) {
                sum = Expr.apply(Op.of("mul"), Expr.apply(Op.of("add"), sum, Expr.literal(1)), Input.of(operand));
            }
            long[] expected = new long[3 * pixels * channels];
            Arrays.setAll(expected, i -> {
                long channel = i % channels;
                long pixel = i / channels % pixels;
                long image = i / channels / pixels;
                return (((i + 1) * channel + 1) * pixel + 1) * image;
            });
            assertThat(BACKEND.evaluate(sum).toLongArray()).isEqualTo(expected);
        }
    }
}
