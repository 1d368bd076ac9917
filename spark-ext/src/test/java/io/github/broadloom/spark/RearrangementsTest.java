package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.broadloom.SomeOf;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Moved elements of distributed tensors, cut in every way, against the local ones. */
class RearrangementsTest {
    /** Fresh for each test: JUnit keeps the last instance of a class with parameterised tests. */
    private static Tensor counted() {
        return Tensors.arange(13 * 6 * 4).to(DType.FLOAT32).reshape(13, 6, 4);
    }

    /** Over x [13, 6, 4]. */
    static Stream<Arguments> expressions() {
        return Stream.of(
                arguments("(x * 2).permute(0, 2, 1) + 1"),
                arguments("permute(x, 1, 0, 2) * 3"),
                arguments("permute(x, 2, 1, 0)"),
                arguments("flip(x, 0)"),
                arguments("flip(x, 0) + x"),
                arguments("flip(x, (0, 2)) - x"),
                arguments("reshape(x, 12, 26)"),
                arguments("reshape(x * x, -1)"),
                arguments("reshape(x, 26, 12) + 1"),
                arguments("reshape(permute(x, 1, 0, 2), 8, 39)"),
                arguments("reshape(sum(x, 2), 6, 13)"),
                arguments("flip(sum(x, 2), 0) + 1"),
                arguments("x[3:11:2] * x[2:10:2]"),
                arguments("x[2:5, 1:3] + x[8:11, 2:4]"),
                arguments("sum(x, 1)[4:9]"),
                arguments("cat((x, x + 1000), 0)"),
                arguments("cat((x[10:], x[:10]), 0) - x"),
                arguments("cat((x, sum(x, 1, keepdim=True)), 1)"),
                arguments("cat((x, flip(x, 0), x[5:6]), 0) * 2"),
                arguments("cat((reshape(x[:6], 1, 144)[:, :24], reshape(x, 13, 24)), 0)"),
                arguments("cat((sum(x[:, 0], 1).unsqueeze(0), reshape(x, 24, 13)), 0)"),
                arguments("cat((reshape(x, 24, 13), reshape(sum(x[:3], 2), 1, 18)[:, 2:15]), 0)"),
                arguments("cat((sum(x[:1], 1, keepdim=True), x[:1] * 2), 1)"),
                arguments("cat((x[:1], median(x[:1], 1, keepdim=True)), 1)"),
                arguments("stack((x, -x), 0)"),
                arguments("stack((x, -x, x.flip(1), x * 3), 0)[1:]"),
                arguments("sum(stack((x, -x, x * 3), 0), 0)"),
                arguments("stack((x, -x, x.flip(0)), 0).argmax(0)"),
                arguments("cumsum(stack((x, -x, x * 3), 0), 0)"),
                arguments("stack((x[:, 0], x[:, 1] + 1, x[:, 2]), 0) @ x[:4, :, 1]"),
                arguments("stack((x, -x), 1)"),
                arguments("sum(flip(x, 0), 0)"),
                arguments("mean(permute(x, 1, 0, 2), 0)"),
                arguments("mean(cat((x, x + 1), 0), 0)"),
                arguments("unsqueeze(x, 0) - x[0:2].unsqueeze(1)"),
                arguments("x.unsqueeze(0).squeeze(0)"),
                arguments("x[3, 2, 1]"),
                arguments("x[3, 2] * x[4, 1, 2]"),
                arguments("x[:, 0, :1] + reshape(x, 312, 1).permute(1, 0)[:, 3:16]"),
                arguments("permute(x, 1, 0, 2) - mean(x, 0).unsqueeze(1)"),
                arguments("cumsum(permute(x, 1, 0, 2), 1)"),
                arguments("cumsum(x.unsqueeze(0), 1)"));
    }

    @ParameterizedTest
    @MethodSource("expressions")
    @Tag("full")
    void theChunksDoNotMatter(String expression) {
        Tensor x = counted();
        Tensor expected = LazyTensor.eval(expression, Map.of("x", x)).compute();
        Broadloom broadloom = LocalSpark.broadloom();
        for (int chunks : new int[] {1, 2, 7, 13}) {
            check(broadloom, broadloom.tensor(x, chunks), expression, expected, chunks + " chunks on the driver");
            DistributedTensor cached = broadloom.tensor(x, chunks).mul(1).cache();
            check(broadloom, cached, expression, expected, chunks + " chunks on the cluster");
            cached.unpersist();
        }
    }

    /** Each chunk has one of the parts, or some rows of one. */
    @SomeOf(value = "expressions", oneIn = 3)
    void chunksOfOneRowDoNotMatterEither(String expression) {
        Tensor x = counted();
        Tensor expected = LazyTensor.eval(expression, Map.of("x", x)).compute();
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(64);
        check(broadloom, broadloom.tensor(x), expression, expected, "on the driver");
        DistributedTensor cached = broadloom.tensor(x).mul(1).cache();
        check(broadloom, cached, expression, expected, "on the cluster");
        cached.unpersist();
    }

    /** Of a part that has a chunk to itself, too large to travel with the code, each task takes what it needs of the whole. */
    @Test
    void largeStackedTensorsDoNotMatterEither() {
        Tensor x = Tensors.arange(200 * 300).to(DType.FLOAT32).reshape(200, 300);
        String expression = "stack((x, -x, x.flip(1), x[:, :150].repeat(1, 2)), 0)[1:]";
        Tensor expected = LazyTensor.eval(expression, Map.of("x", x)).compute();
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 14);
        check(broadloom, broadloom.tensor(x), expression, expected, "on the driver");
        DistributedTensor cached = broadloom.tensor(x).mul(1).cache();
        check(broadloom, cached, expression, expected, "on the cluster");
        cached.unpersist();
    }

    private static void check(
            Broadloom broadloom, DistributedTensor x, String expression, Tensor expected, String how) {
        Tensor got = broadloom.eval(expression, Map.of("x", x)).collect();
        assertThat(got.shape()).as(how).isEqualTo(expected.shape());
        assertThat(got.values()).as(how).isEqualTo(expected.values());
    }
}
