package io.github.broadloom.exec.jobs;

import io.github.broadloom.cuda.driver.GpuAddress;
import io.github.broadloom.device.CurrentGpu;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/**
 * The GPU of a task: the one that Spark gave it ({@code spark.task.resource.gpu.amount}); else one of its executor's ({@code
 * spark.executor.resource.gpu.amount}), in turn by the number of the task's partition; else the first of the machine, as with a local master.
 */
public final class TaskGpu {
    private static final String RESOURCE = "gpu";
    private static final String FIRST = "0";
    /** What the plugin was told at the executor's start; in a local mode nothing. */
    private static volatile String[] executorAddresses = {};

    private TaskGpu() {}

    public static void offer(Map<String, ResourceInformation> ofExecutor) {
        executorAddresses = addresses(ofExecutor);
    }

    private static String[] addresses(Map<String, ResourceInformation> resources) {
        ResourceInformation gpus = resources.get(RESOURCE);
        return gpus == null ? new String[0] : gpus.addresses();
    }

    public static CurrentGpu.Scope use(TaskContext context) {
        String address = address(addresses(context.resourcesJMap()), executorAddresses, context.partitionId());
        return CurrentGpu.use(() -> GpuAddress.ordinal(address));
    }

    static String address(String[] ofTask, String[] ofExecutor, int partition) {
        String[] offered = ofTask.length > 0 ? ofTask : ofExecutor;
        return offered.length == 0 ? FIRST : offered[ofTask.length > 0 ? 0 : partition % offered.length];
    }
}
