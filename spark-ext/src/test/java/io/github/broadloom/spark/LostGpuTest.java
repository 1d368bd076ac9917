package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.FakeDriver;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorExcludedForStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU that fails for good in one executor does not fail the job, where Spark excludes executors that fail. */
@Tag("full")
@WithFakeGpu
class LostGpuTest {
    private static final Device CUDA = Device.of("cuda");
    private static final int CHUNKS = 14;

    @TempDir
    static Path folder;

    private static FakeDriver driver;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        driver = FakeDriver.place();
        driver.devices(2);
        cluster = new Cluster(
                folder,
                Collections.nCopies(2, new Cluster.Resources(1, List.of())),
                "spark.excludeOnFailure.enabled",
                "true",
                "spark.excludeOnFailure.application.maxFailedTasksPerExecutor",
                "100", // else nobody could ask it any more
                "spark.executorEnv.LD_LIBRARY_PATH",
                driver.folder().toString(),
                "spark.executor.extraJavaOptions",
                ExecutorClasses.OPTIONS);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Tensor x() {
        return Tensors.arange(97 * 100).to(DType.FLOAT32).view(97, 100);
    }

    private static void assertComputed(Device device) {
        Bits.assertSame(
                cluster.broadloom()
                        .withDevice(device)
                        .tensor(x(), CHUNKS)
                        .mul(3)
                        .collect(),
                LazyTensor.of(x()).mul(3).compute());
    }

    /** Executors in which the device is out of service. */
    private static int lost() throws Exception {
        List<String> answers = new ArrayList<>(cluster.ask(() -> "" + Devices.isAvailable(Device.of("cuda:0"))));
        return Collections.frequency(answers, "false");
    }

    @Test
    void otherExecutorsTakeItsTasks() throws Exception {
        assertComputed(CUDA);
        Set<String> excluded = ConcurrentHashMap.newKeySet();
        cluster.context().addSparkListener(new SparkListener() {
            @Override
            public void onExecutorExcludedForStage(SparkListenerExecutorExcludedForStage event) {
                excluded.add(event.executorId());
            }
        });
        driver.failForGood("cuLaunchKernel", 2, FakeDriver.ILLEGAL_ADDRESS);
        assertComputed(CUDA);
        assertThat(driver.faultsRaised()).isOne();
        cluster.context().listenerBus().waitUntilEmpty();
        assertThat(excluded).hasSize(1);
        assertThat(lost()).isOne();
        assertComputed(Device.AUTO); // also there

        driver.failNothing();
    }
}
