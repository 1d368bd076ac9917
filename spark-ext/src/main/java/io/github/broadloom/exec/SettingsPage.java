package io.github.broadloom.exec;

import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.Setting.Place;

/** The documentation page of all settings, made of them: Markdown. */
public final class SettingsPage {
    private static final String HEAD = """
            # Configuration

            Everything that can be set from outside. What begins with `spark.` belongs into Spark's configuration: `spark-submit --conf NAME=VALUE`, `SparkSession.builder().config(NAME, VALUE)`, and, where the application's is not meant, `spark.conf().set(NAME, VALUE)` before it is read.
            What begins with `-D` is a system property of a JVM: `spark.driver.extraJavaOptions` and `spark.executor.extraJavaOptions` pass it on a cluster, `BROADLOOM_JAVA_OPTS` to `examples/run`. Sizes are bytes, or have a unit: `512k`, `4m`, `2g`, in powers of 1024.

            A wrong value is refused in a sentence that names the setting and what is allowed. A name that begins with `spark.broadloom.` and is not on this page is told in the log, once. This page is made by `examples/run settings`.

            """;

    private static final String SPARKS = """
            ## Spark's own

            | setting | what Broadloom does with it |
            | --- | --- |
            | `spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions` | brings the functions of SQL, and their evaluation in batches |
            | `spark.plugins=io.github.broadloom.spark.BroadloomPlugin` | shows memory, kernels, bytes and GPUs among Spark's metrics; executors tell at their start which GPUs they have |
            | `spark.executor.memoryOverhead`, `spark.executor.cores`, `spark.task.cpus` | what a task may hold, and so which plans are refused; the first is the size of an executor's pool, too |
            | `spark.memory.offHeap.enabled`, `spark.memory.offHeap.size` | the size of an executor's pool, where they are set |
            | `spark.executor.instances` | with `spark.executor.cores` and without `spark.dynamicAllocation.enabled`: how many tasks run at a time, by which tensors are cut |
            | `spark.executor.resource.gpu.amount`, `spark.task.resource.gpu.amount` | the GPU that Spark gives a task is the one that `cuda` means there. Discovery scripts may give numbers, UUIDs (`GPU-…`) or parts of GPUs (`MIG-…`). Numbers are CUDA's, the fastest first: where GPUs differ, `spark.executorEnv.CUDA_DEVICE_ORDER=PCI_BUS_ID` makes them those of `nvidia-smi` |
            | `spark.excludeOnFailure.enabled=true` | an executor whose GPU failed for good fails each of its tasks at once; Spark then gives them to others, and with `spark.excludeOnFailure.killExcludedExecutors=true` replaces it, after which the GPU may work again. With `spark.broadloom.device=auto` its CPU computes |
            | `spark.executorEnv.OPENBLAS_NUM_THREADS=1`, `spark.executorEnv.MKL_NUM_THREADS=1`, the same in the driver's environment | with either, and OpenBLAS or MKL as `libblas.so.3`, joins `NEAREST k BY` of vectors and `nearest` take their products from it |
            | `spark.kryo.registrator=io.github.broadloom.spark.KryoClasses` | registers what travels, for `spark.kryo.registrationRequired=true` |
            """;

    private SettingsPage() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        AllSettings.byTopic().forEach((topic, settings) -> {
            page.append("## ").append(topic).append("\n\n");
            line(page, "setting", "values", "where it is not set", "read", "what it does");
            line(page, "---", "---", "---", "---", "---");
            settings.forEach(setting -> line(
                    page,
                    names(setting),
                    setting.kind().allowed(),
                    setting.otherwise(),
                    setting.read(),
                    setting.doc()));
            page.append('\n');
        });
        return page.append(SPARKS).toString();
    }

    private static String names(Setting<?> setting) {
        String spark = setting.places().contains(Place.SPARK) ? "`" + setting.sparkName() + "`" : "";
        String jvm = setting.places().contains(Place.JVM) ? "`-D" + setting.name() + "`" : "";
        return spark.isEmpty() || jvm.isEmpty() ? spark + jvm : spark + ", " + jvm;
    }

    private static void line(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
