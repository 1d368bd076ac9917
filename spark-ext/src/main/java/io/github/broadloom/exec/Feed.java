package io.github.broadloom.exec;

import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/** How a task comes by one operand of its chunk. */
sealed interface Feed extends Serializable {
    /** The operand's rows for the chunk; what is made for this call belongs to {@code scope}. */
    Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) throws IOException;

    /** The bytes of it that travel to an executor whole, once: none where the task reads its own rows. */
    default long replicatedBytes(ChunkPartition chunk) {
        return 0;
    }

    /** From the stage's broadcast variable: whole, or the chunk's rows as a view. */
    record Replica(Broadcast<Block[]> replicas, int index, Strategy strategy) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) {
            return rowsOf(Meter.held(Meter.shared(replicas)[index]), chunk, strategy);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(replicas.value()[index].tensor());
        }
    }

    /**
     * With the task itself: whole, or the chunk's rows as a view. Spark sends the bytes with the code, once to each executor, so a small operand costs no broadcast variable
     * of its own, which takes milliseconds to make and to drop.
     */
    record Carried(byte[] block, Strategy strategy) implements Feed {
        static Carried of(Tensor tensor, Strategy strategy) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                BlockCodec.write(tensor, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Carried(bytes.toByteArray(), strategy);
        }

        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope)
                throws IOException {
            Tensor whole = scope.own(BlockCodec.read(new DataInputStream(new ByteArrayInputStream(block))));
            return rowsOf(whole, chunk, strategy);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return block.length;
        }
    }

    private static Tensor rowsOf(Tensor whole, ChunkPartition chunk, Strategy strategy) {
        return strategy == Strategy.REPLICATE ? whole : whole.narrow(0, chunk.start(), chunk.end() - chunk.start());
    }

    /** From the broadcast variable with just these rows. */
    record Piece(int index) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) {
            return Meter.held(Meter.shared(chunk.piece(index)));
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(chunk.piece(index).value().tensor());
        }
    }

    /** From files. */
    record Stored(RowReader reader) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope)
                throws IOException {
            return scope.own(reader.read(chunk.start(), chunk.end()));
        }
    }

    /** From the chunks of another RDD that overlap, found by their rows. */
    record Parent(int index, RowGrid grid) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) {
            List<Block> blocks = rdd.parentBlocks(index, chunk, context, scope);
            Block first = blocks.get(0);
            long rows = chunk.end() - chunk.start();
            if (blocks.size() == 1) {
                long skipped = chunk.start() - first.firstRow();
                boolean exact = skipped == 0 && first.tensor().shape().size(0) == rows;
                return exact ? first.tensor() : first.tensor().narrow(0, skipped, rows);
            }
            Tensor joined = scope.own(
                    Tensors.empty(first.tensor().dtype(), first.tensor().shape().with(0, rows)));
            for (Block block : blocks) {
                copyRows(block, joined, chunk);
            }
            return joined;
        }

        private static void copyRows(Block block, Tensor joined, ChunkPartition chunk) {
            Tensor tensor = block.tensor();
            long start = Math.max(chunk.start(), block.firstRow());
            long end = Math.min(chunk.end(), block.firstRow() + tensor.shape().size(0));
            long rowBytes = tensor.shape().inner().numel() * tensor.dtype().bytes();
            RawMemory.copy(
                    tensor.address() + (start - block.firstRow()) * rowBytes,
                    joined.address() + (start - chunk.start()) * rowBytes,
                    (end - start) * rowBytes);
            Reference.reachabilityFence(tensor);
            Reference.reachabilityFence(joined);
        }
    }
}
