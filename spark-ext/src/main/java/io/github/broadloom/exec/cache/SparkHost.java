package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.GrantedMemory;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryHost;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockInfo;
import org.apache.spark.storage.BlockManager;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.util.Left;

/** Gives the tensors of a JVM in which Spark runs {@linkplain GrantedMemory what it was granted}, and takes it from {@linkplain Evictions cached chunks} where it ends. */
public final class SparkHost implements MemoryHost {
    private static final String DRIVER = "driver";
    private static volatile WeakReference<@Nullable SparkEnv> known = new WeakReference<>(null);

    public SparkHost() {}

    @Override
    public void follow() {
        SparkEnv env = env();
        if (env != null && known.get() != env) {
            GrantedMemory granted =
                    GrantedMemory.here(env.conf(), env.executorId().equals(DRIVER));
            known = new WeakReference<>(env);
            Memory.suggest(granted.limitBytes(), granted.poolBytes());
        }
    }

    @Override
    public long evict(long bytes) {
        SparkEnv env = env();
        return env == null || env.blockManager() == null ? 0 : new Evictions(env.blockManager()).evict(bytes);
    }

    private static @Nullable SparkEnv env() {
        return SparkJars.present() ? SparkEnv.get() : null;
    }

    /**
     * Lets Spark drop cached chunks of this JVM before tensors run out of memory, to disk where their level says so: as Spark does it itself when its own storage memory is full, but the chunks of tensors alone, whose memory it is. A chunk
     * that a task reads stays: Spark locks it for the task.
     */
    private record Evictions(BlockManager manager) {
        private static final ClassTag<Block> BLOCK = ClassTag.apply(Block.class);

        /** Drops chunks, those first that nobody has read for longest, until they come to that many bytes or none is left; returns what they come to. */
        long evict(long bytes) {
            List<Chunk> chunks = CollectionConverters.asJava(manager.getMatchingBlockIds(BlockId::isRDD)).stream()
                    .map(this::chunk)
                    .filter(chunk -> chunk.bytes > 0)
                    .sorted(Comparator.comparingLong(Chunk::age).reversed())
                    .toList();
            long freed = 0;
            for (Chunk chunk : chunks) {
                freed += freed < bytes && drop(chunk.id) ? chunk.bytes : 0;
            }
            return freed;
        }

        private record Chunk(BlockId id, long age, long bytes) {}

        /** A block of Spark's; of no bytes where it has no tensors, or does not keep them as such. */
        private Chunk chunk(BlockId id) {
            List<Block> blocks = blocks(id);
            long age = blocks.stream().mapToLong(Block::idleNanos).min().orElse(0);
            return new Chunk(
                    id, age, blocks.stream().mapToLong(Block::estimatedSize).sum());
        }

        private List<Block> blocks(BlockId id) {
            Option<BlockInfo> info = manager.blockInfoManager().get(id);
            List<Block> blocks = new ArrayList<>();
            if (info.isDefined() && info.get().level().deserialized()) {
                Option<scala.collection.Iterator<?>> values = values(id);
                if (values.isDefined()) {
                    values.get().foreach(value -> value instanceof Block block && blocks.add(block));
                }
            }
            return blocks;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private Option<scala.collection.Iterator<?>> values(BlockId id) {
            return (Option) manager.memoryStore().getValues(id);
        }

        /** False where somebody reads the block, or dropped it meanwhile. */
        private boolean drop(BlockId id) {
            if (manager.blockInfoManager().lockForWriting(id, false).isEmpty()) {
                return false;
            }
            boolean kept = true;
            try {
                Block[] blocks = blocks(id).toArray(Block[]::new);
                if (blocks.length == 0) {
                    return false;
                }
                kept = manager.dropFromMemory(id, () -> new Left<>(blocks), BLOCK)
                        .isValid();
                return true;
            } finally {
                if (kept) {
                    manager.blockInfoManager().unlock(id, Option.empty());
                } else {
                    manager.blockInfoManager().removeBlock(id);
                }
            }
        }
    }
}
