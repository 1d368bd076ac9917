package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.RunFigures;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often a tensor is read, as Spark counts the blocks of its cache and Hadoop the bytes of its files. */
class PassesTest {
    private static final int CHUNKS = 8;
    /** float32 [512, 2048]. */
    private static final long BYTES = 512 * 2048 * 4;

    @TempDir
    Path folder;

    private static Tensor numbers() {
        return LazyTensor.of(Tensors.arange(512 * 2048))
                .mul(0.001)
                .sin()
                .compute()
                .view(512, 2048);
    }

    private static LazyTensor standardised(Tensor x) {
        LazyTensor local = LazyTensor.of(x);
        return local.sub(local.mean(0)).div(local.std(0));
    }

    private static long kept(Jobs jobs) throws Exception {
        return jobs.keptBlocks().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void standardisingReadsTheChunksTwiceNotThreeTimes() throws Exception {
        Tensor x = numbers();
        DistributedTensor chunks =
                LocalSpark.broadloom().tensor(x, CHUNKS).mul(1).materialize();
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(
                    chunks.sub(chunks.mean(0)).div(chunks.std(0)).collect(),
                    standardised(x).compute());
            assertThat(jobs.descriptions()).hasSize(2);
            assertThat(jobs.tasks()).isEqualTo(2 * CHUNKS);
            assertThat(jobs.shuffledBytes()).isZero();
            assertThat(kept(jobs)).isEqualTo(2 * CHUNKS);
        }
        chunks.unpersist();
    }

    @Test
    @SuppressWarnings("deprecation") // Hadoop has no other count of one file system
    void standardisingReadsTheFileTwiceNotThreeTimes() throws Exception {
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .set("fs.remote.impl", RemoteFileSystem.class.getName());
        Tensor x = numbers();
        Npy.write(x, folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor file =
                LocalSpark.broadloom().withChunkBytes(BYTES / CHUNKS).readNpy("remote://" + folder.resolve("x.npy"));
        DistributedTensor y = file.sub(file.mean(0)).div(file.std(0));
        FileSystem.Statistics statistics = FileSystem.getStatistics("remote", RemoteFileSystem.class);
        long before = statistics.getBytesRead();
        try (Jobs jobs = Jobs.listen()) {
            Bits.assertSame(y.collect(), standardised(x).compute());
            assertThat(jobs.descriptions()).hasSize(2);
            assertThat(jobs.tasks())
                    .isEqualTo(2 + CHUNKS); // in the first job each slot goes along its part of the file
        }
        // and the head of the file, for each task
        assertThat(statistics.getBytesRead() - before).isBetween(2 * BYTES, 2 * BYTES + BYTES / 4);
    }

    @Test
    void severalReductionsOfOneTensorShareOnePass() throws Exception {
        Tensor x = numbers();
        DistributedTensor chunks =
                LocalSpark.broadloom().tensor(x, CHUNKS).mul(1).materialize();
        try (Jobs jobs = Jobs.listen()) {
            LazyTensor local = LazyTensor.of(x);
            Bits.assertSame(
                    chunks.amax(0)
                            .sub(chunks.mean(0))
                            .div(chunks.std(0))
                            .add(chunks.prod(0).norm())
                            .collect(),
                    local.amax(0)
                            .sub(local.mean(0))
                            .div(local.std(0))
                            .add(local.prod(0).norm())
                            .compute());
            assertThat(jobs.descriptions()).hasSize(1);
            assertThat(jobs.tasks()).isEqualTo(CHUNKS);
            assertThat(kept(jobs)).isEqualTo(CHUNKS);
        }
        chunks.unpersist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void severalReductionsOfAProductThatNobodyHoldsShareOneStream(int chunks) throws Exception {
        String distances = "sum((x.unsqueeze(1) - y.unsqueeze(0)) ** 2, -1)";
        String least = "amin(" + distances + ", 1)";
        String nearest =
                least + " + argmin(" + distances + ", 1) * 2 + amax(" + distances + ", 1, keepdim=True).squeeze(1)";
        Tensor x = numbers().view(-1, 64).slice(0, 0L, 97L, 1);
        Tensor y = numbers().view(-1, 64).slice(0, 1000L, 1083L, 1);
        Broadloom broadloom = LocalSpark.broadloom().withReplicateBytes(1000).withChunkBytes(BYTES / 64);
        Map<String, DistributedTensor> names = Map.of(
                "x", broadloom.tensor(x, chunks).mul(1).materialize(),
                "y", broadloom.tensor(y, chunks).mul(1).materialize());
        DistributedTensor alone = broadloom.eval(least, names);
        DistributedTensor together = broadloom.eval(nearest, names);

        alone.collect().release();
        Bits.assertSame(
                together.collect(),
                LazyTensor.eval(nearest, Map.of("x", x, "y", y)).compute());
        RunFigures one = alone.lastRun().orElseThrow().figures();
        RunFigures three = together.lastRun().orElseThrow().figures();
        assertThat(three.jobs()).isEqualTo(1);
        assertThat(three.tasks()).isEqualTo(one.tasks());
        assertThat(three.shuffledBytes()).isZero();
        assertThat(three.chunkBytes()).isBetween(one.chunkBytes(), one.chunkBytes() + one.chunkBytes() / 2);
        names.values().forEach(DistributedTensor::unpersist);
    }
}
