package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is long or deep is computed, or refused in a sentence, on a thread with half of the stack that the JVM gives by default. */
class DepthTest {
    private static final long STACK_BYTES = 512 << 10;
    private static final int CHAIN = 20_000;

    private static <T> T onASmallStack(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(null, task, "small stack", STACK_BYTES);
        thread.start();
        return task.get();
    }

    private static LazyTensor chain(Tensor start) {
        LazyTensor sum = LazyTensor.of(start);
        for (int i = 0; i < CHAIN; i++) {
            sum = sum.add(1);
        }
        return sum;
    }

    private static Tensor ofRank(int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        sizes[rank / 2] = 3;
        return Tensors.of(1, 2, 3).view(sizes);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "(, ), 2.5",
                "-, \"\", 2.5",
                "abs(, ), 2.5",
                "x.abs().maximum(, ), 2.5",
                "\"where(x > 1, \", \", 0)\", 2.5",
                "\"clamp(\", \", 0, 9)\", 2.5",
                "\"maximum(x, \", ), 2.5",
                "float32(, ), 2.5",
                "sum(, ), 2.5",
                "\"cat((x, \", \"), 0)\", 2.5"
            })
    void theDeepestTextIsRead(String before, String after, float first) throws Exception {
        int depth = ExprParser.MAX_DEPTH;
        Map<String, Tensor> names = Map.of("x", Tensors.of(2.5f));
        String text = before.repeat(depth) + "x" + after.repeat(depth);
        assertThat(onASmallStack(() -> LazyTensor.eval(text, names).dtype())).isEqualTo(DType.FLOAT32);
        assertThat(LazyTensor.eval(text, names).compute().flatten().toFloatArray()[0])
                .isEqualTo(first);
        assertThatThrownBy(() -> LazyTensor.eval(before + text + after, names))
                .hasMessageStartingWith(
                        "Cannot parse an expression nested deeper than " + ExprParser.MAX_DEPTH + "; split it in two");
    }

    @Test
    void aLongTextIsRead() throws Exception {
        String text = "x" + "+x".repeat(4_999);
        assertThat(onASmallStack(() -> LazyTensor.eval(text, Map.of("x", Tensors.of(2L)))
                        .compute()
                        .toLongArray()))
                .containsExactly(10_000);
    }

    @ParameterizedTest
    @CsvSource({"3000", "9990"})
    void aLongTextOfIndicesIsReadOrRefusedForWhatItSays(int length) throws Exception {
        Expr x = Input.of(Tensors.of(1, 2, 3));
        String none = "0" + " ".repeat(length);
        assertThat(onASmallStack(() -> ExprParser.subscript(x, none).shape())).isEqualTo(Shape.SCALAR);
        assertThatThrownBy(() -> onASmallStack(() -> ExprParser.subscript(x, "0,".repeat(length / 2) + "0")))
                .hasMessageContaining("too many indices for tensor of dimension 1");
        assertThatThrownBy(() -> onASmallStack(() -> ExprParser.subscript(x, "0".repeat(length) + "y")))
                .hasMessageContaining("Cannot read the slice '000");
    }

    @Test
    void aLongerTextOfIndicesIsRefusedForItsLength() {
        Expr x = Input.of(Tensors.of(1, 2, 3));
        assertThatThrownBy(() -> onASmallStack(() -> ExprParser.subscript(x, "0,".repeat(50_000) + "0")))
                .hasMessageContaining("Cannot parse an expression of 100004 characters; use at most 10000");
    }

    @Test
    void aLongChainIsComputedAndExplained() throws Exception {
        Tensor x = Tensors.of(1.5f, 2.5f);
        assertThat(onASmallStack(() -> chain(x).compute()).toFloatArray()).containsExactly(CHAIN + 1.5f, CHAIN + 2.5f);
        assertThat(onASmallStack(() -> chain(x).flip(0).compute()).toFloatArray())
                .containsExactly(CHAIN + 2.5f, CHAIN + 1.5f);
        assertThat(onASmallStack(() -> chain(x).explain())).contains("…\n").hasSizeLessThan(100_000);
    }

    @Test
    void aLongChainTravels() throws Exception {
        Expr chain = chain(Tensors.of(1.5f)).expr().mapInputs(input -> Input.of("x", input.dtype(), input.shape()));
        Expr arrived = onASmallStack(() -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(chain);
            }
            return (Expr) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        });
        assertThat(arrived.postOrder()).hasSameSizeAs(chain.postOrder());
    }

    @Test
    void aHighRankIsPrintedAndComputed() throws Exception {
        int rank = 20_000;
        Tensor deep = ofRank(rank);
        String text = onASmallStack(deep::toString);
        assertThat(text.replace("\n", "").replace(" ", "")).isEqualTo("tensor(" + printed(rank) + ")");
        assertThat(onASmallStack(() -> LazyTensor.of(deep).add(1).sum(rank / 2).compute())
                        .item())
                .isEqualTo(9L);
    }

    private static String printed(int rank) {
        int inner = rank - rank / 2 - 1;
        String items = IntStream.rangeClosed(1, 3)
                .mapToObj(value -> "[".repeat(inner) + value + "]".repeat(inner))
                .collect(Collectors.joining(","));
        return "[".repeat(rank / 2) + "[" + items + "]" + "]".repeat(rank / 2);
    }
}
