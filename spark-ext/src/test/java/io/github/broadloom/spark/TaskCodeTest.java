package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.exec.Lineage;
import io.github.broadloom.tensor.Tensors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag$;

/** What every task reads before it begins. */
class TaskCodeTest {
    private static final long ROWS = 512;

    static Stream<Named<Function<Broadloom, DistributedTensor>>> tensors() {
        return Stream.of(
                Named.of("from the driver", broadloom -> numbers(broadloom).add(1)),
                Named.of(
                        "cached", broadloom -> numbers(broadloom).add(1).cache().mul(2)),
                Named.of(
                        "cached, cut differently",
                        broadloom -> numbers(broadloom)
                                .add(1)
                                .cache()
                                .narrow(0, 3, ROWS - 3)
                                .mul(2)));
    }

    private static DistributedTensor numbers(Broadloom broadloom) {
        return broadloom.tensor(Tensors.arange(ROWS * 8).view(ROWS, 8));
    }

    @ParameterizedTest
    @MethodSource("tensors")
    void doesNotGrowWithTheNumberOfChunks(Function<Broadloom, DistributedTensor> tensor) {
        int few = codeBytes(tensor.apply(LocalSpark.broadloom().withChunkBytes(ROWS * 64 / 4)), 4);
        int many = codeBytes(tensor.apply(LocalSpark.broadloom().withChunkBytes(64)), (int) ROWS);
        assertThat(many).isLessThan(few + 1000);
    }

    private static int codeBytes(DistributedTensor tensor, int chunks) {
        assertThat(tensor.chunks()).isBetween(chunks - 3, chunks);
        SparkContext context = LocalSpark.session().sparkContext();
        DistributedTensor kept = tensor.cache();
        RDD<?> chunksOf = Lineage.of(kept.expr(), context);
        int bytes = SparkEnv.get()
                .closureSerializer()
                .newInstance()
                .serialize(chunksOf, ClassTag$.MODULE$.apply(RDD.class))
                .remaining();
        kept.unpersist();
        return bytes;
    }
}
