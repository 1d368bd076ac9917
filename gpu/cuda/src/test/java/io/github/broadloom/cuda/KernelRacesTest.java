package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The kernels with one real thread for each of a block, under ThreadSanitizer: accesses of shared memory that no barrier orders, elements written twice, accesses
 * outside of buffers and misaligned ones. The stand-in driver's fibers switch at barriers alone, and so see no race.
 */
class KernelRacesTest {
    @BeforeAll
    static void needsThreadSanitizer() {
        assumeThat(ThreadedLaunches.missing()).isEmpty();
    }

    /** Operands as {@code x 37 5003; y 5003}; behind {@code ^} the first two of its sizes are turned. */
    private static ThreadedLaunches launches(String text, String operands, DType dtype) {
        Map<String, Layout> layouts = new LinkedHashMap<>();
        for (String operand : operands.split("; ")) {
            String[] words = operand.split(" ");
            long[] sizes =
                    Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
            boolean turned = words[0].endsWith("^");
            Layout layout = turned
                    ? Layout.contiguous(
                                    Shape.of(LongStream.of(sizes[1], sizes[0]).toArray()))
                            .t()
                    : Layout.contiguous(Shape.of(sizes));
            layouts.put(words[0].replace("^", ""), layout);
        }
        return ThreadedLaunches.of(text, layouts, dtype);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        float32 | x + y               | x^ 65 67; y 65 67
        float32 | sum(x, dim=1)       | x 37 5003
        float32 | x @ y               | x 40 600; y^ 600 33
        float32 | softmax(x, 1)       | x 7 5003
        """)
    @Tag("full")
    void noThreadReadsWhatAnotherWritesWithoutABarrier(String dtype, String text, String operands)
            throws IOException, InterruptedException {
        assertThat(launches(text, operands, DType.of(dtype)).complaint()).isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        float16 | x + y               | x^ 128 192; y 128 192
        float32 | sum((x - y) ** 2, dim=2) | x 100 1 77; y 1 70 77
        float32 | cumsum(x, 1)        | x 7 5003
        float32 | softmax(x, 1)       | x 37 1003
        float32 | x + y               | x^ 150 200; y 150 200
        float64 | x + y               | x^ 130 70; y 130 70
        float16 | x + y               | x^ 131 193; y 131 193
        uint8   | x + y               | x^ 256 132; y 256 132
        uint8   | float32(x) + y      | x^ 256 132; y 256 132
        uint8   | x + y               | x^ 260 132; y 260 132
        float32 | x * z + y           | x^ 150 200; z^ 150 200; y 150 200
        int32   | x // y              | x^ 80 90; y 80 90
        float32 | x - y               | x 500 21 3; y 3
        float32 | x - y               | x 50 40; y 50 1
        float32 | sum(x, dim=1)       | x 501 37
        float32 | sum(x, dim=1)       | x 301 100
        float32 | sum(x, dim=(0,1))   | x 301 1037
        float32 | sum(x, dim=0)       | x 4001 36
        float16 | sum(x, dim=1)       | x 37 5003
        float16 | sum(x, dim=0)       | x 501 64
        float32 | var(x, dim=1)       | x 37 5003
        float32 | var(x, dim=(0,1))   | x 37 5003
        float64 | var(x, dim=0)       | x 503 37
        float32 | amax(x, dim=1)      | x 37 5003
        float32 | argmax(x, dim=1)    | x 37 5003
        float32 | prod(x, dim=1)      | x 37 503
        float32 | sum((x - y) ** 2, dim=2)     | x 100 1 64; y 1 70 64
        float32 | sum((x - y) ** 2, dim=2)     | x 40 1 700; y 1 50 700
        float32 | amax(x * y + x, dim=2)       | x 100 1 50; y 1 90 50
        float32 | sum((x - y) * z, dim=3)      | x 2 70 1 40; y 2 1 70 40; z 40
        float64 | sum((x - y) * (x + y), dim=2) | x 60 1 64; y 1 40 64
        float32 | cumsum(x, 0)        | x 3001 30
        float64 | cumprod(x, 1)       | x 40 300
        float16 | x @ y               | x^ 130 40; y 40 260
        float32 | x @ y               | x 300 37; y 37 1
        float32 | x @ y               | x 1500 20; y^ 20 1500
        float32 | softmax(x, 1)       | x 300 7
        float16 | log_softmax(x, 1)   | x 37 16000
        float32 | (x - mean(x, 1, keepdim=True)) / (std(x, 1, keepdim=True) + y) | x 5 5003; y 5003
        float64 | (x - mean(x, 1, keepdim=True)) / (std(x, 1, keepdim=True) + y) | x 37 1000; y 37 1000
        int32   | x // amax(x, 1, keepdim=True) | x 5 8000
        """)
    void noThreadOfTheOtherKernelsDoesEither(String dtype, String text, String operands)
            throws IOException, InterruptedException {
        assertThat(launches(text, operands, DType.of(dtype)).complaint()).isEmpty();
    }

    /** Of few values, so that many are less than what is kept, and of so many that they are sorted in between. */
    @Tag("full")
    @Test
    void theLeastAreKeptInOrder() throws IOException, InterruptedException {
        ThreadedLaunches least = ThreadedLaunches.ofLeast(2, 5000, 1000);
        assertThat(least.complaint()).isEmpty();
        ThreadedLaunches robbed = least.with(source -> source.replace("__syncthreads();", ""));
        assertThat(robbed.complaint()).contains("WARNING: ThreadSanitizer: data race");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        x + y                     | x^ 65 67; y 65 67
        """)
    void aKernelRobbedOfItsBarriersIsCaught(String text, String operands) throws IOException, InterruptedException {
        rob(text, operands);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sum((x - y) ** 2, dim=2)  | x 100 1 77; y 1 70 77
        x @ y                     | x 33 40; y 40 18
        softmax(x, 1)             | x 4 4096
        """)
    void soAreTheOthers(String text, String operands) throws IOException, InterruptedException {
        rob(text, operands);
    }

    private static void rob(String text, String operands) throws IOException, InterruptedException {
        ThreadedLaunches robbed =
                launches(text, operands, DType.FLOAT32).with(source -> source.replace("__syncthreads();", ""));
        assertThat(robbed.complaint()).contains("WARNING: ThreadSanitizer: data race");
    }
}
