package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot work is refused before Spark hears of it, and works when the advice is followed. */
class RefusedPlansTest {
    private static final int KIB = 1 << 10;

    @TempDir
    static Path folder;

    private static Broadloom broadloom() {
        return LocalSpark.broadloom().withChunkBytes(256 * KIB);
    }

    /** float32 [1024, 256], 1 MiB, in the file {@code photos.npy}. */
    private static Tensor photos() {
        return Tensors.arange(1024 * 256).to(DType.FLOAT32).view(1024, 256);
    }

    private static DistributedTensor file(Broadloom broadloom) throws IOException {
        Path file = folder.resolve("photos.npy");
        if (!Files.exists(file)) {
            Npy.write(photos(), file, WriteMode.CREATE);
        }
        return broadloom.readNpy(file.toString());
    }

    private static DistributedTensor eval(String expression, Broadloom broadloom) throws IOException {
        return broadloom.eval(
                expression,
                Map.of(
                        "x",
                        file(broadloom),
                        "row",
                        broadloom.tensor(Tensors.ones(1, 1000, 256)),
                        "many",
                        broadloom.tensor(Tensors.ones(1).expand(1_100_000), 1_100_000)));
    }

    static Stream<Arguments> refused() {
        Broadloom tight = broadloom().withTaskBytes(400 * KIB);
        return Stream.of(
                Arguments.of("x * 2", tight, "512.0 KiB, 256.0 KiB of them of x [1024, 256] (1.0 MiB)"),
                Arguments.of("median(x, 0)", tight, "Cannot compute median(x, dim=(0))"),
                Arguments.of("median(x.flatten(), 0).indices", tight, "its lines run through all rows"),
                Arguments.of("cumsum(x, 0) * 2", tight, "Cannot compute cumsum(x, dim=(0))"),
                Arguments.of("x - mean(x * 2, 0)", tight, "256.0 KiB of them of x [1024, 256] (1.0 MiB)"),
                Arguments.of(
                        "median(x.unsqueeze(1) - row, 1)",
                        broadloom().withReplicateBytes(KIB),
                        "both are large and expand each other"),
                Arguments.of("many * 2", broadloom(), "1100000 tasks"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void noActionStartsAJob(String expression, Broadloom broadloom, String why) throws Exception {
        DistributedTensor tensor = eval(expression, broadloom);
        try (Jobs jobs = Jobs.listen()) {
            Path out = folder.resolve("out.npy");
            for (ThrowingCallable action : new ThrowingCallable[] {
                tensor::collect,
                tensor::materialize,
                () -> tensor.writeNpy(out.toString(), WriteMode.CREATE),
                tensor::explain
            }) {
                assertThatThrownBy(action)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(why);
            }
            assertThat(jobs.descriptions()).isEmpty();
            assertThat(out).doesNotExist();
        }
    }

    @Test
    void smallerChunksHelpAsTheMessageSays() throws Exception {
        Broadloom tight = broadloom().withTaskBytes(400 * KIB);
        assertThatThrownBy(eval("x * 2", tight)::collect).hasMessageContaining("withChunkBytes(131072)");
        Tensor expected = LazyTensor.of(photos()).mul(2).compute();
        Bits.assertSame(eval("x * 2", tight.withChunkBytes(131_072)).collect(), expected);
    }

    @Test
    void whatIsMadeOnTheWayIsBetterCachedAsTheMessageSays() throws Exception {
        Broadloom tight = broadloom().withTaskBytes(1400 * KIB);
        String late = "(x * x[:1] + flip(x, 0)) * cumsum(exp(x * 1e-6), 0)";
        assertThatThrownBy(eval(late, tight)::collect)
                .hasMessageContaining(
                        "compute cumsum(exp((x * 1.0E-6)), dim=(0)) before, with cache(StorageLevel.DISK_ONLY()) and materialize()");
        DistributedTensor x = file(tight);
        DistributedTensor sums =
                x.mul(1e-6).exp().cumsum(0).cache(StorageLevel.DISK_ONLY()).materialize();
        Tensor got = tight.eval("(x * x[:1] + flip(x, 0)) * sums", Map.of("x", x, "sums", sums))
                .collect();
        Bits.assertSame(got, LazyTensor.eval(late, Map.of("x", photos())).compute());
        sums.unpersist();
    }

    @Test
    void aHigherLimitHelpsAsTheMessageSays() throws Exception {
        String middle = "median(x[:20].unsqueeze(1) - row, 1)";
        Broadloom frugal = broadloom().withReplicateBytes(KIB);
        assertThatThrownBy(eval(middle, frugal)::collect).hasMessageContaining("withReplicateBytes(1024000)");
        Tensor expected = LazyTensor.eval(middle, Map.of("x", photos(), "row", Tensors.ones(1, 1000, 256)))
                .compute();
        Bits.assertSame(eval(middle, frugal.withReplicateBytes(1_024_000)).collect(), expected);
    }
}
