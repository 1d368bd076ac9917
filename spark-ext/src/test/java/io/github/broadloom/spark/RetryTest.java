package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark runs a task that failed again. */
class RetryTest {
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static SparkSession session;

    @TempDir
    Path folder;

    /** Some of its files cannot be opened. */
    public static final class Unreliable extends RemoteFileSystem {
        @Override
        public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferBytes) throws IOException {
            if (FAILURES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("Cannot read " + path.getName() + ": the network is down");
            }
            return super.open(path, bufferBytes);
        }
    }

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        session = SparkSession.builder()
                .master("local[2,3]")
                .config("spark.ui.enabled", false)
                .getOrCreate();
        session.sparkContext().hadoopConfiguration().set("fs.remote.impl", Unreliable.class.getName());
        session.sparkContext().hadoopConfiguration().set("fs.remote.impl.disable.cache", "true");
    }

    @AfterAll
    static void stop() {
        session.stop();
        session = null;
    }

    private DistributedTensor numbers() throws IOException {
        Npy.write(Tensors.arange(350).view(50, 7), folder.resolve("x.npy"), WriteMode.CREATE);
        return Broadloom.on(session).withChunkBytes(256).readNpy("remote://" + folder.resolve("x.npy"));
    }

    @Test
    void whatIsReadAndWrittenAgainIsRight() throws IOException {
        DistributedTensor x = numbers();
        Tensor expected = Tensors.arange(350).view(50, 7);
        FAILURES.set(2);
        Bits.assertSame(x.collect(), expected);
        for (String name : new String[] {"y.npy", "y"}) {
            FAILURES.set(2);
            x.writeNpy(folder.resolve(name).toString(), WriteMode.CREATE);
            assertThat(FAILURES).hasValue(0);
            Bits.assertSame(
                    Broadloom.on(session)
                            .readNpy(folder.resolve(name).toString())
                            .collect(),
                    expected);
        }
        FAILURES.set(2);
        assertThat(x.sum().collect().item()).isEqualTo(350L * 349 / 2);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.npy", "y.npy", "y");
    }

    @Test
    void whatFailsEveryTimeLeavesTheOldFileAndNothingElse() throws IOException {
        DistributedTensor x = numbers();
        Npy.write(Tensors.ones(3), folder.resolve("y.npy"), WriteMode.CREATE);
        FAILURES.set(Integer.MAX_VALUE);
        try {
            assertThatThrownBy(() -> x.writeNpy(folder.resolve("y.npy").toString(), WriteMode.OVERWRITE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the network is down")
                    .hasMessageNotContaining("\n");
        } finally {
            FAILURES.set(0);
        }
        Bits.assertSame(Npy.read(folder.resolve("y.npy")), Tensors.ones(3));
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.npy", "y.npy");
    }
}
