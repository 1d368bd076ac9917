package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockInfo;
import org.apache.spark.storage.BlockManager;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.util.Left;

/**
 * Lets Spark drop cached chunks of this JVM before tensors run out of memory, to disk where their level says so: as Spark does it itself when its own storage memory is full, but the chunks of tensors alone, whose memory it is. A chunk
 * that a task reads stays: Spark locks it for the task.
 */
final class Evictions {
    private static final ClassTag<Block> BLOCK = ClassTag.apply(Block.class);

    private final BlockManager manager;

    Evictions(BlockManager manager) {
        this.manager = manager;
    }

    /** Drops chunks, those first that nobody has read for longest, until they come to that many bytes or none is left; returns what they come to. */
    long evict(long bytes) {
        List<BlockId> ids = new ArrayList<>(CollectionConverters.asJava(manager.getMatchingBlockIds(BlockId::isRDD)));
        List<Chunk> chunks = new ArrayList<>();
        for (BlockId id : ids) {
            Chunk chunk = chunk(id);
            if (chunk != null) {
                chunks.add(chunk);
            }
        }
        chunks.sort(Comparator.comparingLong(Chunk::age).reversed());
        long freed = 0;
        for (Chunk chunk : chunks) {
            freed += freed < bytes && drop(chunk.id) ? chunk.bytes : 0;
        }
        return freed;
    }

    private record Chunk(BlockId id, long age, long bytes) {}

    /** A block that has tensors, which it keeps as such. */
    private @Nullable Chunk chunk(BlockId id) {
        List<Block> blocks = blocks(id);
        if (blocks.isEmpty()) {
            return null;
        }
        long age = Long.MAX_VALUE;
        long bytes = 0;
        for (Block block : blocks) {
            age = Math.min(age, block.idleNanos());
            bytes += block.estimatedSize();
        }
        return new Chunk(id, age, bytes);
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
            kept = manager.dropFromMemory(id, () -> new Left<>(blocks), BLOCK).isValid();
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
