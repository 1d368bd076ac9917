package io.github.broadloom.exec.exchange;

import io.github.broadloom.cuda.compiler.Cubin;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.device.Memo;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.metrics.TaskMeter;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * The compiled kernels of a stage, on their way to the executors: few with the code of the tasks, more in a broadcast variable. The first task of an
 * executor unpacks them for all.
 */
public record BroadcastKernels(
        UUID id, byte @Nullable [] carried, @Nullable Broadcast<byte[]> broadcast) implements Serializable {
    /** The tasks compile for themselves what they need. */
    public static final BroadcastKernels EMPTY = new BroadcastKernels(new UUID(0, 0), null, null);

    private static final Memo<UUID, Integer> UNPACKED = new Memo<>(4096);

    static BroadcastKernels of(List<Cubin> cubins, Function<byte[], Broadcast<byte[]>> broadcaster) {
        if (cubins.isEmpty()) {
            return EMPTY;
        }
        byte[] bytes = JavaBytes.of(cubins.toArray(Cubin[]::new));
        return bytes.length <= WholeOperands.CARRIED_BYTES
                ? new BroadcastKernels(UUID.randomUUID(), bytes, null)
                : new BroadcastKernels(UUID.randomUUID(), null, broadcaster.apply(bytes));
    }

    /** In a task, before it computes: the kernels are at hand when this returns. */
    public void unpack() {
        if (carried != null || broadcast != null) {
            UNPACKED.value(id, key -> unpacked());
        }
    }

    private int unpacked() {
        byte[] bytes = carried;
        if (bytes == null && broadcast != null) {
            bytes = TaskMeter.shared(broadcast);
        }
        Cubin[] cubins = bytes == null ? new Cubin[0] : JavaBytes.read(bytes, Cubin[].class);
        for (Cubin cubin : cubins) {
            Cubins.shared().put(cubin);
        }
        return cubins.length;
    }
}
