package io.github.broadloom.exec;

import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/** How a task comes by one operand of its chunk. */
sealed interface Feed extends Serializable {
    /** The operand's rows for the chunk; what is made for this call belongs to {@code scope}. */
    Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) throws IOException;

    /** From the stage's broadcast variable: whole, or the chunk's rows as a view. */
    record Replica(Broadcast<Block[]> replicas, int index, Strategy strategy) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) {
            Tensor whole = replicas.value()[index].tensor();
            return strategy == Strategy.REPLICATE ? whole : whole.narrow(0, chunk.start(), chunk.end() - chunk.start());
        }
    }

    /** From the broadcast variable with just these rows. */
    record Piece(int index) implements Feed {
        @Override
        public Tensor rows(ChunkRDD<?> rdd, ChunkPartition chunk, TaskContext context, TaskScope scope) {
            return chunk.piece(index).value().tensor();
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
            List<Block> blocks = rdd.parentBlocks(index, chunk, context);
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
