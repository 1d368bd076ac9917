package io.github.broadloom.exec;

import io.github.broadloom.device.Memo;
import io.github.broadloom.device.cuda.Cubin;
import io.github.broadloom.device.cuda.Cubins;
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
final class KernelParcel implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The tasks compile for themselves what they need. */
    static final KernelParcel EMPTY = new KernelParcel(new UUID(0, 0), null, null);

    /** Those that this JVM has unpacked. */
    private static final Memo<UUID, Integer> UNPACKED = new Memo<>(4096);

    private final UUID id;
    private final byte @Nullable [] carried;
    private final @Nullable Broadcast<byte[]> broadcast;

    private KernelParcel(UUID id, byte @Nullable [] carried, @Nullable Broadcast<byte[]> broadcast) {
        this.id = id;
        this.carried = carried;
        this.broadcast = broadcast;
    }

    /** @param broadcaster makes a broadcast variable */
    static KernelParcel of(List<Cubin> cubins, Function<byte[], Broadcast<byte[]>> broadcaster) {
        if (cubins.isEmpty()) {
            return EMPTY;
        }
        byte[] bytes = JavaBytes.of(cubins.toArray(Cubin[]::new));
        return bytes.length <= Replicas.CARRIED_BYTES
                ? new KernelParcel(UUID.randomUUID(), bytes, null)
                : new KernelParcel(UUID.randomUUID(), null, broadcaster.apply(bytes));
    }

    /** In a task, before it computes: the kernels are at hand when this returns. */
    void unpack() {
        if (carried != null || broadcast != null) {
            UNPACKED.value(id, key -> unpacked());
        }
    }

    private int unpacked() {
        byte[] bytes = carried;
        if (bytes == null && broadcast != null) {
            bytes = Meter.shared(broadcast);
        }
        Cubin[] cubins = bytes == null ? new Cubin[0] : JavaBytes.read(bytes, Cubin[].class);
        for (Cubin cubin : cubins) {
            Cubins.shared().put(cubin);
        }
        return cubins.length;
    }
}
