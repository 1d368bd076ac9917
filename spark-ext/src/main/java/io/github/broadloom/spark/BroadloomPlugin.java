package io.github.broadloom.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.exec.jobs.Architectures;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.exec.metrics.MetricTotals;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows Broadloom's memory, kernels and traffic among Spark's metrics, on the driver and on every executor, in whatever sink Spark is configured with. Switched on by {@code
 * spark.plugins=io.github.broadloom.spark.BroadloomPlugin}.
 *
 * <p>The gauges are {@code broadloom.memory.} {@code heldBytes}, {@code peakBytes}, {@code pooledBytes}, {@code limitBytes}, {@code hits},
 * {@code misses}, {@code freshBytes}, {@code collections} ({@link MemoryFigures}), and {@code broadloom.kernels.} {@code hits}, {@code misses}, {@code compileNanos},
 * {@code size} ({@link KernelCache.Stats}, of the CPU), and {@code broadloom.io.} {@code fileBytes} (read from files), {@code fetchedBytes} (of cached
 * chunks, from other executors), {@code replicatedBytes} (of operands that came here whole), {@code movedBytes} (all that tasks fetched from other executors: chunks,
 * and what was shuffled), and {@code broadloom.gpu.} {@code heldBytes}, {@code peakHeldBytes} and {@code pooledBytes} (of device memory), {@code pinnedBytes} and {@code peakPinnedBytes} (of the JVM's, for copies), {@code uploadedBytes}, {@code downloadedBytes}, {@code stagedBytes},
 * {@code halved}, {@code onCpuForMemory}, {@code onCpuForKernels} (pieces of work that gave way: {@link GpuCounter}).
 *
 * <p>Without the plugin the same figures stand in Spark's UI for each stage and task: bytes of files and cached chunks as input, the peak of off-heap memory as peak
 * execution memory, the others among the accumulators, as {@code broadloom.replicatedBytes} for instance.
 */
public final class BroadloomPlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(BroadloomPlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        return new OnDriver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new OnExecutor();
    }

    private static final class OnDriver implements DriverPlugin {
        private @Nullable SparkContext context;

        @Override
        public Map<String, String> init(SparkContext sparkContext, PluginContext pluginContext) {
            context = sparkContext;
            return Map.of();
        }

        /** An executor tells of its GPUs. */
        @Override
        public @Nullable Object receive(Object message) {
            if (context != null && message instanceof String[] told) {
                Architectures.told(context, told);
            }
            return null;
        }

        @Override
        public void registerMetrics(String appId, PluginContext context) {
            register(context.metricRegistry());
        }
    }

    private static final class OnExecutor implements ExecutorPlugin {
        @Override
        public void init(PluginContext context, Map<String, String> extraConf) {
            TaskGpu.offer(context.resources());
            register(context.metricRegistry());
            tell(context);
        }

        private static void tell(PluginContext context) {
            try {
                Architectures.report(context);
            } catch (IOException e) {
                LOG.warn("Cannot tell the driver of this executor's GPUs: {}; it will ask", e.getMessage());
            }
        }
    }

    private static void register(MetricRegistry registry) {
        gauge(registry, "memory.heldBytes", () -> Memory.figures().heldBytes());
        gauge(registry, "memory.peakBytes", () -> Memory.figures().peakBytes());
        gauge(registry, "memory.pooledBytes", () -> Memory.figures().pooledBytes());
        gauge(registry, "memory.limitBytes", () -> Memory.figures().limitBytes());
        gauge(registry, "memory.hits", () -> Memory.figures().hits());
        gauge(registry, "memory.misses", () -> Memory.figures().misses());
        gauge(registry, "memory.freshBytes", () -> Memory.figures().freshBytes());
        gauge(registry, "memory.collections", () -> Memory.figures().collections());
        gauge(registry, "kernels.hits", () -> kernels().hits());
        gauge(registry, "kernels.misses", () -> kernels().misses());
        gauge(registry, "kernels.compileNanos", () -> kernels().compileNanos());
        gauge(registry, "kernels.size", () -> (long) kernels().size());
        for (TaskMetric metric : TaskMetric.values()) {
            // Others count kernels and what is done on GPUs, whoever asked for it.
            if (metric != TaskMetric.KERNELS && metric.onGpus().isEmpty()) {
                gauge(registry, "io." + metric.label(), () -> MetricTotals.of(metric));
            }
        }
        gauge(registry, "io.movedBytes", MetricTotals::movedBytes);
        for (GpuCounter counter : GpuCounter.values()) {
            gauge(registry, "gpu." + counter.label(), counter::sum);
        }
    }

    private static void gauge(MetricRegistry registry, String name, Gauge<Long> figure) {
        registry.register("broadloom." + name, figure);
    }

    private static KernelCache.Stats kernels() {
        return Devices.backend(Device.CPU).kernelStats();
    }
}
