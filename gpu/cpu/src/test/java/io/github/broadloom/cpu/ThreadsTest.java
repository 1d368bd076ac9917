package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads compute what one computes, to the bit. */
class ThreadsTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    /** 700 rows of 3 by 251: none a multiple of a tile or of a range. */
    private static Tensor ramp() {
        int count = 700 * 3 * 251;
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i * 7919L % 100_003) / 1000f - 50;
        }
        return Tensors.copyOf(values, 700, 3, 251);
    }

    private static Expr parse(String text) {
        Tensor x = ramp();
        return ExprParser.parse(
                text,
                Map.of(
                        "x", Input.of(x),
                        "t", Input.of(x.transpose(0, 2)),
                        "c", Input.of(Tensors.of(1.5f, -2.5f, 3.5f).view(3, 1))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(x - c) * c",
                "t + 1",
                "x.sum()",
                "x.sum(dim=0)",
                "x.sum(dim=1)",
                "x.sum(dim=(1, 2))",
                "x.mean(dim=(0, 2))",
                "x.std(dim=(0, 2))",
                "x.amax(dim=-1)",
                "t.amin(dim=0)",
                "x.argmax(dim=0)",
                "x.argmin(dim=2)",
                "(x - mean(x, dim=(0, 2), keepdim=True)) / std(x, dim=(0, 2), keepdim=True)",
                "where(x > c, x, 0.1 * x).sum(dim=2)",
            })
    void threadsChangeNoBit(String text) {
        Expr expr = parse(text);
        Tensor one = CPU.evaluate(expr, 1);
        for (int threads : new int[] {2, 3, 16}) {
            assertThat(CPU.evaluate(expr, threads).values())
                    .as("%d threads", threads)
                    .isEqualTo(one.values());
        }
    }

    @Test
    void aTargetOfAnyStridesIsWrittenByAll() {
        Expr expr = parse("(x - c) * c");
        Tensor target = Tensors.empty(DType.FLOAT32, Shape.of(251, 3, 700)).transpose(0, 2);
        CPU.evaluateInto(expr, target, 3);
        assertThat(target.contiguous().values()).isEqualTo(CPU.evaluate(expr, 1).values());
    }

    @Test
    void whatOneThreadThrowsIsThrown() {
        Tensor divisors = Tensors.full(Shape.of(1_000_000), 1, DType.INT32);
        divisors.set(0, 999_999);
        Expr expr = ExprParser.parse("7 // d", Map.of("d", Input.of(divisors)));
        assertThatThrownBy(() -> CPU.evaluate(expr, 4))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("ZeroDivisionError");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64})
    void everyPieceIsDoneOnceAndRangesBeginAtMultiplesOfTheirLength(int threads) {
        int[] done = new int[1003];
        Parallel.forRanges(threads, done.length, 8, () -> {
            Thread creator = Thread.currentThread();
            return (first, end) -> {
                assertThat(first % 8).isZero();
                assertThat(Thread.currentThread()).isSameAs(creator);
                for (long i = first; i < end; i++) {
                    done[(int) i]++;
                }
            };
        });
        assertThat(done).containsOnly(1);
    }
}
