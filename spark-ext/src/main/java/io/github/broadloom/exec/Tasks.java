package io.github.broadloom.exec;

import io.github.broadloom.plan.Box;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.TaskContext;
import org.apache.spark.storage.StorageLevel;
import scala.collection.Iterator;

/** What the tasks of an action do with the one block of their partition. */
final class Tasks {
    private Tasks() {}

    /** Whether a block is the task's own, and not one that Spark keeps. */
    enum Fate {
        RELEASE,
        KEEP;

        static Fate of(org.apache.spark.rdd.RDD<Block> rdd) {
            return rdd.getStorageLevel().equals(StorageLevel.NONE()) ? RELEASE : KEEP;
        }

        /** Before the task reads the block. */
        Block begin(Block block) {
            if (this == KEEP) {
                block.hold();
            }
            return block;
        }

        /** The one block of a task's partition, which the task counts among what it holds. */
        Block take(Iterator<Block> blocks) {
            Block block = begin(blocks.next());
            Meter.holdsAtLeast(block);
            return block;
        }

        /** When it is done with it. */
        void end(Block block) {
            if (this == KEEP) {
                block.letGo();
            } else {
                block.tensor().release();
            }
        }
    }

    /** Brings the elements of a box to the driver. */
    static final class Collect extends Scala.TaskFunction<Block, ChunkBytes> {
        private static final long serialVersionUID = 1L;
        private final Fate fate;
        private final Box box;

        Collect(Fate fate, Box box) {
            this.fate = fate;
            this.box = box;
        }

        @Override
        ChunkBytes run(TaskContext context, Iterator<Block> blocks) {
            Block block = fate.take(blocks);
            try {
                ChunkBytes bytes = ChunkBytes.of(box.intersection(block.box()).of(block.tensor(), block.box()));
                MemoryMeter.array(bytes.sizeBytes());
                return bytes;
            } finally {
                fate.end(block);
            }
        }
    }

    /** Computes the block, which Spark then keeps. */
    static final class Compute extends Scala.TaskFunction<Block, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        Long run(TaskContext context, Iterator<Block> blocks) {
            return blocks.next().tensor().numel();
        }
    }

    /** Brings the partial results of a fold to the driver. */
    static final class Partials extends Scala.TaskFunction<byte[], byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        byte[] run(TaskContext context, Iterator<byte[]> partials) {
            return partials.next();
        }
    }

    /** Writes the chunk where the sink wants it. */
    static final class Write extends Scala.TaskFunction<Block, Part> {
        private static final long serialVersionUID = 1L;
        private final ChunkWriter writer;
        private final Fate fate;

        Write(ChunkWriter writer, Fate fate) {
            this.writer = writer;
            this.fate = fate;
        }

        @Override
        Part run(TaskContext context, Iterator<Block> blocks) {
            Block block = fate.take(blocks);
            try {
                Part part =
                        writer.write(block.tensor(), context.partitionId(), block.firstRow(), context.taskAttemptId());
                context.taskMetrics().outputMetrics().setBytesWritten(BlockCodec.payloadBytes(block.tensor()));
                return part;
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            } finally {
                fate.end(block);
            }
        }
    }
}
