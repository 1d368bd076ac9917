package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** How a task comes by one operand of its chunk. */
public sealed interface Exchange extends Serializable {
    /** The operand of the chunk; what is made for this call belongs to the task. */
    Tensor operand(ChunkTask task) throws IOException;

    /** The bytes of it that are sent to an executor whole, once: none where the task reads its own. */
    default long replicatedBytes(ChunkPartition chunk) {
        return 0;
    }

    /** What of a tensor that is sent whole is the chunk's, out of those of the source's elements that are sent; the access is null where all chunks have one operand. */
    record ChunkPart(@Nullable Access access, Box sent) implements Serializable {
        static ChunkPart of(Operand operand, Box sent) {
            return new ChunkPart(operand.isCommon() ? null : operand.access(), sent);
        }

        Tensor of(Tensor whole, ChunkTask task) {
            return access == null
                    ? whole
                    : task.moved(access, access.box(task.box()).of(whole, sent));
        }
    }

    /** From broadcast variables with pieces of it, which make one tensor in each executor. */
    record WholeBroadcast(BroadcastTensor tensor, ChunkPart part) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            return part.of(task.scope().share(tensor.tensor()), task);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return tensor.bytes();
        }
    }

    /** From this very JVM, which is the driver's, too. */
    record SameProcess(InProcessTensor shared, ChunkPart part) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) {
            return part.of(task.scope().share(shared.tensor()), task);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(shared.tensor());
        }
    }

    /**
     * With the task itself. Spark sends the bytes with the code, once to each executor, so a small operand costs no broadcast variable
     * of its own, which takes milliseconds to make and to drop.
     */
    record WithTask(byte[] block, ChunkPart part) implements Exchange {
        static WithTask of(Tensor tensor, ChunkPart part) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                BlockCodec.write(tensor, new long[tensor.rank()], out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new WithTask(bytes.toByteArray(), part);
        }

        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            Tensor whole = BlockCodec.read(new DataInputStream(new ByteArrayInputStream(block)))
                    .tensor();
            return part.of(task.scope().own(whole), task);
        }

        long bytes() {
            return block.length;
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return bytes();
        }
    }

    /** From the broadcast variable with just the block of the source that the chunk needs. */
    record ChunkBroadcast(int index, Access access) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) {
            Block piece = TaskMeter.shared(task.chunk().pieces()[index]);
            Box box = access.box(task.box()); // a step of a stream needs a part of it
            return task.moved(access, box.of(task.scope().share(piece.tensor()), piece.box()));
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(chunk.pieces()[index].value().tensor());
        }
    }

    /** From files, of which the chunk has those that it needs. */
    record FromFiles(int index, Access access) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            return task.moved(access, task.stored(task.chunk().readers()[index], access));
        }
    }

    /** From the chunks of a parent that overlap, found by index. */
    record FromParent(int index, DType dtype, Access access, ChunkGrid grid) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) {
            return task.moved(access, task.gathered(index, dtype, grid, access));
        }
    }

    /** From the pieces that Spark's shuffle brought. */
    record FromShuffle(int index, DType dtype, Access access) implements Exchange {
        @Override
        public Tensor operand(ChunkTask task) {
            return task.moved(access, task.shuffled(index, dtype, access));
        }
    }
}
