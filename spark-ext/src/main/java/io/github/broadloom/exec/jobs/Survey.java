package io.github.broadloom.exec.jobs;

import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Asks the JVMs of a Spark application. On a cluster one short job asks the executors, with a task for each core: an executor that is busy with other jobs
 * may be missing.
 */
public final class Survey {
    private static final String DRIVER = "driver";

    private Survey() {}

    public static Map<String, MemoryFigures> memory(SparkContext context) {
        Map<String, MemoryFigures> figures = new TreeMap<>();
        if (!context.isLocal()) {
            ask(context, "broadloom: memory", Memory::figures)
                    .forEach((executor, bytes) -> figures.put(executor, JavaBytes.read(bytes, MemoryFigures.class)));
        }
        figures.put(DRIVER, Memory.figures());
        return figures;
    }

    static Map<String, List<String>> architectures(SparkContext context) {
        Map<String, List<String>> architectures = new TreeMap<>();
        ask(context, "broadloom: GPUs", () -> Gpus.architectures().toArray(String[]::new))
                .forEach((executor, bytes) ->
                        architectures.put(executor, List.of(JavaBytes.read(bytes, String[].class))));
        return architectures;
    }

    /** @throws IllegalStateException with the reason, where tasks do not find the device */
    public static void requireDevice(SparkContext context, Device device) {
        if (device.isCpu() || device.equals(Device.AUTO)) {
            return; // there always, and what there is
        }
        if (context.isLocal()) {
            Devices.backend(device);
            return;
        }
        String name = device.toString();
        ask(context, "broadloom: device " + name, () -> missing(name)).forEach((executor, bytes) -> {
            String reason = JavaBytes.read(bytes, String.class);
            if (!reason.isEmpty()) {
                throw new IllegalStateException("On executor " + executor + ": " + reason);
            }
        });
    }

    /** Why this JVM does not have the device; empty where it does. */
    private static String missing(String device) {
        try {
            Devices.backend(Device.of(device));
            return "";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Map<String, byte[]> ask(SparkContext context, String title, Question question) {
        int cores = Math.max(1, context.defaultParallelism());
        JavaSparkContext java = JavaSparkContext.fromSparkContext(context);
        return new JobRunner(context)
                .described(
                        title,
                        () -> java.parallelize(Collections.nCopies(cores, 0), cores)
                                .mapToPair(nothing ->
                                        new Tuple2<>(SparkEnv.get().executorId(), JavaBytes.of(question.answer())))
                                .collectAsMap());
    }

    private interface Question extends Serializable {
        Serializable answer();
    }
}
