package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What indices name of an operand that is too large to be copied is brought together by asking for it. */
class GatherExchangeTest {
    private static final int ROWS = 150;
    private static final String EXCHANGED = "asks for what its indices name";

    @TempDir
    Path folder;

    private static Tensor x() {
        double[] values = new Random(1).doubles((long) ROWS * 6 * 4).toArray();
        return Tensors.copyOf(values, ROWS, 6, 4).to(DType.FLOAT32);
    }

    private static Tensor indices(int seed, int count, int below, int least) {
        return Tensors.of(new Random(seed).longs(count, least, below).toArray());
    }

    private static Map<String, Tensor> tensors() {
        Map<String, Tensor> tensors = new HashMap<>();
        tensors.put("x", x());
        tensors.put("i", indices(2, 90, ROWS, -ROWS));
        tensors.put("p", indices(3, 90, ROWS, 0));
        tensors.put("j", indices(4, 90, 6, -6));
        tensors.put(
                "t",
                Tensors.of(new Random(7).longs(90 * 6 * 4, 0, ROWS).toArray()).view(90, 6, 4));
        tensors.put("m", indices(5, 200, 6, -6));
        tensors.put(
                "y",
                Tensors.copyOf(new Random(6).doubles(90L * 4).toArray(), 90, 1, 4)
                        .to(DType.FLOAT32));
        return tensors;
    }

    private static Broadloom small() {
        return LocalSpark.broadloom().withChunkBytes(2048).withReplicateBytes(600);
    }

    /** In chunks of rows on the cluster, or in files as the index is; x is larger than what may be copied, and its columns are not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x[i]",
                "x[i] * 2 + y",
                "index_select(x, 0, p)",
                "x[i, j]",
                "sum(x[i], 0)",
                "amax(x[i, j], 0)",
                "cumsum((x * 2)[i], 0)",
                "x[argsort(x[:, 0, 0])][1:20]",
                "take(x, i)",
                "x[i.view(1, 90)]",
                "(x * 1).permute(1, 0, 2)[2:3][:, p]",
                "sum(x[i] * x[p], (1, 2))",
                "take_along_dim(x, t, 0)",
                "gather(x, 0, t[:, 1:5, :3]) * 2",
                "x[i][j]",
            })
    void theElementsAreThoseThatAreNamed(String text) throws IOException {
        Map<String, Tensor> local = tensors();
        Tensor expected = LazyTensor.eval(text, local).compute();
        for (int chunks : new int[] {2, 7}) {
            Map<String, DistributedTensor> cut = new HashMap<>();
            local.forEach((name, each) -> cut.put(
                    name,
                    small().tensor(each, Math.min(chunks, (int) each.shape().size(0)))
                            .cache()));
            DistributedTensor result = small().eval(text, cut);
            assertThat(result.explain()).as(text + " in " + chunks).contains(EXCHANGED);
            Bits.assertSame(result.collect(), expected);
            cut.values().forEach(DistributedTensor::unpersist);
        }
        small().tensor(local.get("x"), 5).write(folder.resolve("x.npy").toString(), WriteMode.OVERWRITE);
        Map<String, Object> filed = new HashMap<>(local);
        filed.put("x", small().read(folder.resolve("x.npy").toString()));
        DistributedTensor result = small().eval(text, filed);
        assertThat(result.explain()).contains(EXCHANGED);
        Bits.assertSame(result.collect(), expected);
    }

    /** Of blocks that are cut along other dimensions, too, and along the second one that is indexed. */
    @Test
    void everyBlockAnswersForItsOwnPart() throws IOException {
        Map<String, Tensor> local = tensors();
        String store = folder.resolve("x.zarr").toString();
        small().tensor(local.get("x"), 3)
                .writeZarr(store, WriteMode.OVERWRITE, ZarrOptions.DEFAULT.withChunk(Shape.of(16, 4, 2)));
        Map<String, Object> names = new HashMap<>(local);
        names.put("x", small().read(store).cache());
        for (String text : List.of("x[i]", "x[i, j]", "x[:, j, 1:3]", "x[i, j] - y[:, 0]")) {
            DistributedTensor result = small().eval(text, names);
            Bits.assertSame(result.collect(), LazyTensor.eval(text, local).compute());
        }
        assertThat(small().eval("x[i, j]", names).explain()).contains(EXCHANGED);
        ((DistributedTensor) names.get("x")).unpersist();
    }

    /** The least bytes decide: a few elements of an operand that could be copied are asked for, many are not. */
    @Test
    void fewElementsAreAskedForAndManyComeOutOfACopy() {
        Broadloom roomy = LocalSpark.broadloom().withChunkBytes(2048);
        Map<String, Object> names = new HashMap<>(tensors());
        names.put("x", roomy.tensor(x(), 7).cache());
        names.put("few", roomy.tensor(Tensors.of(new long[] {50, 3})).cache());
        assertThat(roomy.eval("x[few]", names).explain())
                .contains("asks 7 chunks")
                .contains("3 stages");
        assertThat(roomy.eval("x[i]", names).explain()).doesNotContain(EXCHANGED);
        ((DistributedTensor) names.get("x")).unpersist();
        ((DistributedTensor) names.get("few")).unpersist();
    }

    @Test
    void anIndexOutOfRangeIsPyTorchsError() {
        long[] wrong = new long[90];
        Arrays.setAll(wrong, at -> at == 40 ? ROWS : at);
        DistributedTensor x = small().tensor(x(), 7).cache();
        Map<String, Object> names =
                Map.of("x", x, "i", small().tensor(Tensors.of(wrong), 7).mul(1));
        assertThatThrownBy(() -> small().eval("x[i]", names).collect())
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 150 is out of bounds for dimension 0 with size 150");
        x.unpersist();
    }
}
