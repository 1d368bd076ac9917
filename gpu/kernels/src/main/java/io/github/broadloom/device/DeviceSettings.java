package io.github.broadloom.device;

import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.SettingKind;
import java.util.List;
import java.util.function.Function;

/** What can be set of a JVM's computations, on its processors and its GPUs. */
public final class DeviceSettings {
    public static final Setting<Integer> THREADS = Setting.ofJvm(
            "broadloom.threads",
            SettingKind.count(),
            "all processors",
            "at each evaluation",
            "How many threads evaluate a local expression (`LazyTensor.compute`). A task of Spark has one, because Spark runs as many tasks as there are cores.");

    static final int DEFAULT_KERNELS = 512;

    static final Setting<Integer> KERNEL_CACHE = Setting.ofJvm(
            "broadloom.kernel.cache",
            SettingKind.count(),
            "`" + DEFAULT_KERNELS + "`",
            "with the first kernel",
            "How many compiled kernels a JVM keeps of each kind; the one that was not used for the longest time goes first.");

    public static final Setting<Long> CUDA_MEMORY = Setting.ofJvm(
            "broadloom.cuda.memory.limit",
            SettingKind.bytes(),
            "90 % of what is free when the GPU is first used",
            "when a GPU is first used",
            "The most memory of each GPU that this JVM takes: what tensors and work under way hold, and what was freed and waits for a taker. What would go beyond it gives back what waits, collects garbage, and is then computed in smaller pieces or by the CPU. What waits longer than `broadloom.memory.idleSeconds` goes back in any case.");

    public static final Setting<Long> CUDA_PINNED = Setting.ofJvm(
            "broadloom.cuda.pinned.limit",
            SettingKind.bytes(),
            "`256m`",
            "when a GPU is first used",
            "The most memory of this JVM that is pinned for copies from and to each GPU, beside `broadloom.memory.limit`. Where more copies are under way they wait for each other; 0 leaves copies to the driver, which is slower and lets nobody go on meanwhile. What nobody used for `broadloom.memory.idleSeconds` is freed.");

    public static final Setting<Boolean> CUDA_PIN = Setting.ofJvm(
            "broadloom.cuda.pin",
            SettingKind.flag(),
            "`false`",
            "when a GPU is first used",
            "Whether the slabs of 64 MiB from which tensors of 1 to 16 MiB are cut are pinned when they are first copied from or to a GPU, and stay so until the operating system has them back. Copies then go straight from and to tensors, and no thread is busy with them. A pinned slab is in memory as a whole, counts within `broadloom.memory.limit`, and is not swapped. Where the driver refuses, copies go through pinned memory of their own as ever.");

    public static final Setting<String> CUDA_CACHE = Setting.ofJvm(
            "broadloom.cuda.cache",
            new SettingKind<>("a folder, or off", Function.identity()),
            "`$XDG_CACHE_HOME/broadloom`, else `~/.cache/broadloom`, else a folder of the user's in `java.io.tmpdir`",
            "with the first kernel for a GPU",
            "The folder that keeps compiled kernels, and libraries that had to be unpacked, from one process to the next. It must belong to the user, and nobody else may have access to what is in it: what lies there is executed. `off` keeps kernels in memory alone.");

    public static final Setting<String> CUDA_CUBINS = Setting.ofJvm(
            "broadloom.cuda.cubins",
            new SettingKind<>("a file of compiled kernels", Function.identity()),
            "those on the class path, if any",
            "with the first kernel for a GPU",
            "A file of kernels that were compiled ahead, which then need no compiler. What is in it is executed.");

    public static final Setting<String> NVRTC_PATH = Setting.ofJvm(
            "broadloom.nvrtc.path",
            new SettingKind<>("a folder with libnvrtc", Function.identity()),
            "`CUDA_HOME`, `CUDA_PATH`, `/usr/local/cuda*`, the linker's folders and the class path are searched",
            "with the first kernel for a GPU",
            "The folder of NVIDIA's compiler NVRTC, on the driver; nowhere else is searched then.");

    private DeviceSettings() {}

    /** Those of the CPU and of all devices. */
    public static List<Setting<?>> general() {
        return List.of(THREADS, KERNEL_CACHE);
    }

    public static List<Setting<?>> ofGpus() {
        return List.of(CUDA_MEMORY, CUDA_PINNED, CUDA_PIN, CUDA_CACHE, CUDA_CUBINS, NVRTC_PATH);
    }
}
