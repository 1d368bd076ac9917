package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is broadcast and then reduced has the bits of the same values stored first and then reduced. */
class AcrossPassTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    private static Tensor random(long seed, long... shape) {
        Random random = new Random(seed);
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() * Math.scalb(1.0, random.nextInt(20) - 10));
        }
        return Tensors.copyOf(values, shape);
    }

    private static void assertSame(String operand, String reduced, Map<String, Expr> names) {
        Tensor stored = CPU.evaluate(ExprParser.parse(operand, names), 1);
        Tensor expected = CPU.evaluate(ExprParser.parse(reduced.replace("$", "v"), Map.of("v", Input.of(stored))), 1);
        Expr fused = ExprParser.parse(reduced.replace("$", "(" + operand + ")"), names);
        for (int threads : new int[] {1, 3}) {
            assertThat(CPU.evaluate(fused, threads).values()).isEqualTo(expected.values());
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 64", "13, 70", "64, 300", "100, 129", "200, 257", "300, 1100", "1000, 64", "2040, 70"})
    void pairwiseDistances(int length, int columns) {
        Map<String, Expr> names =
                Map.of("a", Input.of(random(1, 30, 1, length)), "b", Input.of(random(2, 1, columns, length)));
        for (String reduced : new String[] {"$.sum(-1)", "$.mean(-1)", "$.amax(-1)", "$.amin(-1)"}) {
            assertSame("(a - b) ** 2", reduced, names);
        }
    }

    /** Of which a loop folds four rows, or two, or one, for C2 inlines no more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a * b + a",
                "abs(a - b) * b + a * b - a * 3 + (b - 2) * a",
                "maximum(minimum(maximum(a, b), a * b), a - b) * a + minimum(b, a + b)"
            })
    void longProgramsOfAnyLength(String operand) {
        for (int length : new int[] {8, 13, 16, 56, 203, 1000}) {
            Map<String, Expr> names =
                    Map.of("a", Input.of(random(11, 30, 1, length)), "b", Input.of(random(12, 1, 70, length)));
            for (String reduced : new String[] {"$.sum(-1)", "$.amax(-1)"}) {
                assertSame(operand, reduced, names);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void anyLengthsOverAnyStrides(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 12; i++) {
            int length = 1 + random.nextInt(200);
            int columns = 1 + random.nextInt(600);
            int repeated = 16 + random.nextInt(8); // operands are laid out where they are read often
            Tensor a = random(seed, length, 1, 2L * repeated).permute(2, 1, 0).index(Slice.parse("1::2"));
            Tensor b = random.nextBoolean()
                    ? random(-seed, 1, columns, length)
                    : random(-seed, length + 1, 1, 3L * columns)
                            .permute(1, 2, 0)
                            .index(Slice.all(), Slice.parse("::3"), Slice.from(1));
            set(a, random, 0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY);
            set(b, random, 0.0, -0.0, Double.NEGATIVE_INFINITY);
            Map<String, Expr> names = Map.of("a", Input.of(a), "b", Input.of(b));
            for (String reduced : new String[] {"$.sum(-1)", "$.amax(-1)"}) {
                assertSame("a * b - a", reduced, names);
            }
        }
    }

    private static void set(Tensor tensor, Random random, double... values) {
        for (double value : values) {
            long[] index = new long[tensor.rank()];
            for (int dim = 0; dim < index.length; dim++) {
                index[dim] = random.nextInt((int) tensor.shape().size(dim));
            }
            tensor.set(value, index);
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 9", "100, 333", "600, 64"})
    void outerProducts(int rows, int columns) {
        Map<String, Expr> names = Map.of("a", Input.of(random(3, rows, 1)), "b", Input.of(random(4, 1, columns)));
        for (String reduced : new String[] {"$.amax(1)", "$.amin(dim=1, keepdim=True)", "$.sum(1)", "$.mean(1)"}) {
            assertSame("a * b + a", reduced, names);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"$.sum((2, 3))", "$.amax((2, 3))", "$.mean(3)"})
    void loopsAroundTheColumnsAndOperandsThatAreConstantInABlock(String reduced) {
        Map<String, Expr> names = Map.of(
                "a", Input.of(random(5, 7, 1, 1, 1)),
                "b", Input.of(random(6, 80, 1, 1)),
                "c", Input.of(random(7, 5, 6)),
                "d", Input.of(random(8, 80, 3).transpose(0, 1).narrow(0, 1, 1).view(80, 1, 1)));
        assertSame("a * b - abs(c) / d", reduced, names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$.amax(1)", "$.amin(1)", "$.sum(1)", "$.mean(1)"})
    void zerosOfBothSignsInfinitiesAndNans(String reduced) {
        Tensor a = random(9, 96, 1);
        Tensor b = random(10, 1, 40);
        for (int i = 0; i < 96; i++) {
            float value = switch (i % 6) {
                case 0 -> 0f;
                case 1 -> -0f;
                case 2 -> Float.NaN;
                case 3 -> Float.NEGATIVE_INFINITY;
                default -> i;
            };
            a.set(value, i, 0);
        }
        b.set(-0.0, 0, 3);
        b.set(0.0, 0, 38);
        assertSame("a * b", reduced, Map.of("a", Input.of(a), "b", Input.of(b)));
    }
}
