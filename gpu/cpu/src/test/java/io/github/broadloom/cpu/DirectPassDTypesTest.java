package io.github.broadloom.cpu;

import static io.github.broadloom.cpu.Programs.bits;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Integers, halves and truths are widened and rounded in registers as tiles widen and round them. */
class DirectPassDTypesTest extends DirectRuns {
    @Test
    void integersOfEveryWidth() {
        for (DType dtype : List.of(DType.UINT8, DType.INT8, DType.INT16, DType.INT32)) {
            Map<String, Tensor> names =
                    Map.of("i", dense(dtype, 30, 111), "row", dense(dtype, 30, 1), "column", dense(dtype, 111));
            assertSame("float32(i) * 0.5 - float32(row) + float32(column)", names);
        }
    }

    private static Tensor allHalves() {
        return halves(IntStream.range(0, 1 << 16));
    }

    private static Tensor halves(IntStream bits) {
        int[] all = bits.toArray();
        ByteBuffer memory = ByteBuffer.allocateDirect(Short.BYTES * all.length).order(ByteOrder.nativeOrder());
        for (int i = 0; i < all.length; i++) {
            memory.putShort(Short.BYTES * i, (short) all[i]);
        }
        return Tensors.wrap(memory, DType.FLOAT16, Shape.of(all.length));
    }

    /** Those of both signs that are numbers: conversions of a piece that has no other take a shorter way. */
    private static Tensor finiteHalves() {
        return halves(IntStream.range(0, 1 << 16).filter(bits -> (bits & 0x7FFF) < 0x7C00));
    }

    /** Truths as other libraries may store them: 0, and three bytes that are not. */
    private static Tensor truths(long... shape) {
        byte[] bytes = {0, 1, 2, (byte) 255, 0, 0, (byte) 128};
        ByteBuffer memory = ByteBuffer.allocateDirect((int) Shape.of(shape).numel());
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, bytes[i % bytes.length]);
        }
        return Tensors.wrap(memory, DType.BOOL, Shape.of(shape));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h * 1",
                "h + 0",
                "h * 0.1",
                "-h",
                "abs(h)",
                "h / g",
                "h - g",
                "maximum(h, g) * 3",
                "where(m, h * 0.3, h - 7)",
                "where(m, h, g)",
                "float32(h) * float32(g)",
                "float16(float32(h) * 1.0009765625)",
                "float32(h) * 0.5 + 1",
                "exp(h)",
                "where(m, tanh(h), h)"
            })
    void everyHalf(String text) {
        Tensor h = allHalves();
        Map<String, Tensor> names = new LinkedHashMap<>(Map.of("h", h));
        if (text.contains("g")) {
            names.put("g", h.flip(0));
        }
        if (text.contains("m,")) {
            names.put("m", truths(1 << 16));
        }
        assertSame(text, names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h * 1", "h * 0.1", "h * 1.0009765625", "h * 3", "h * 65504", "float32(h) * 0.5"})
    void everyFiniteHalf(String text) {
        assertSame(text, Map.of("h", finiteHalves()));
    }

    @Test
    void halvesTimesOneAreThemselves() {
        Tensor h = allHalves();
        Tensor got = Tensors.empty(DType.FLOAT16, h.shape());
        assertThat(runs("h * 1", Map.of("h", h), got, 1)).isTrue();
        assertThat(bits(got)).isEqualTo(bits(h));
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 64", "5, 3, 77", "2, 3, 511", "3, 2, 513", "2, 2, 1024", "2, 2, 2600", "2, 1, 40003"})
    void halvesAndChoices(long images, long channels, long pixels) {
        Map<String, Tensor> names = Map.of(
                "mask", truths(images, 1, pixels),
                "h", dense(DType.FLOAT16, images, channels, pixels),
                "scale", dense(DType.FLOAT16, channels, 1),
                "shift", dense(DType.FLOAT16, channels, 1));
        assertSame("where(mask, h * scale, h - shift)", names);
        assertSame(
                "where(row, float32(h) * float32(column), scalar)",
                Map.of(
                        "row", truths(images, channels, 1),
                        "h", dense(DType.FLOAT16, images, channels, pixels),
                        "column", dense(DType.UINT8, pixels),
                        "scalar", dense(DType.FLOAT32)));
    }

    @ParameterizedTest
    @CsvSource({"2, 64", "4, 37", "8, 130", "8, 300"})
    void halvesAndTruthsOfShortPeriods(long period, long times) {
        Map<String, Tensor> names = Map.of(
                "h", dense(DType.FLOAT16, 30, times, period),
                "g", dense(DType.FLOAT16, 30, 1, period),
                "m", truths(30, 1, period));
        assertSame("where(m, h, g)", names);
        assertSame("h * g", Map.of("h", names.get("h"), "g", names.get("g")));
    }

    @Test
    void halvesBesideAPatternOfFloats() {
        Map<String, Tensor> names =
                Map.of("h", dense(DType.FLOAT16, 700, 3), "std", dense(DType.FLOAT32, 3), "m", truths(700, 3));
        assertSame("where(m, float32(h) / std, 0.0)", names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"where(m, x, y)", "where(m, x * 2, y) - x", "where(m, 1.5, x)"})
    void choicesOfFloats(String text) {
        Tensor y = dense(DType.FLOAT32, 40, 2055);
        Map<String, Tensor> names =
                new LinkedHashMap<>(Map.of("x", dense(DType.FLOAT32, 40, 2055), "m", truths(40, 2055)));
        if (text.contains("y")) {
            names.put("y", y);
        }
        assertSame(text, names);
    }

    @Test
    void halvesThatAreRoundedOnTheWayGoThroughTiles() {
        Map<String, Tensor> names = Map.of("h", dense(DType.FLOAT16, 1000));
        assertThat(runs("h * 0.3 + 1", names, Tensors.empty(DType.FLOAT16, Shape.of(1000)), 1))
                .isFalse();
    }
}
