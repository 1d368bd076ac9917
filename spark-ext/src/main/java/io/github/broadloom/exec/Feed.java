package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
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
sealed interface Feed extends Serializable {
    /** The operand of the chunk; what is made for this call belongs to the task. */
    Tensor operand(ChunkTask task) throws IOException;

    /** The bytes of it that travel to an executor whole, once: none where the task reads its own. */
    default long replicatedBytes(ChunkPartition chunk) {
        return 0;
    }

    /**
     * What of a tensor that travels whole is the chunk's.
     *
     * @param access null where it is the operand of every chunk
     * @param sent which of the source's elements travel
     */
    record Part(@Nullable Access access, Box sent) implements Serializable {
        static Part of(Operand operand, Box sent) {
            return new Part(operand.isCommon() ? null : operand.access(), sent);
        }

        Tensor of(Tensor whole, ChunkTask task) {
            return access == null
                    ? whole
                    : task.moved(access, access.box(task.box()).of(whole, sent));
        }
    }

    /** From broadcast variables with pieces of it, which make one tensor in each executor. */
    record Parceled(Parcels parcels, Part part) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            return part.of(task.scope().share(parcels.tensor()), task);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return parcels.bytes();
        }
    }

    /** From this very JVM, which is the driver's, too. */
    record Here(Shelved shelved, Part part) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) {
            return part.of(task.scope().share(shelved.tensor()), task);
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(shelved.tensor());
        }
    }

    /**
     * With the task itself. Spark sends the bytes with the code, once to each executor, so a small operand costs no broadcast variable
     * of its own, which takes milliseconds to make and to drop.
     */
    record Carried(byte[] block, Part part) implements Feed {
        static Carried of(Tensor tensor, Part part) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                BlockCodec.write(tensor, new long[tensor.rank()], out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Carried(bytes.toByteArray(), part);
        }

        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            Tensor whole = BlockCodec.read(new DataInputStream(new ByteArrayInputStream(block)))
                    .tensor();
            return part.of(task.scope().own(whole), task);
        }

        /** What it takes of the code. */
        long bytes() {
            return block.length;
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return bytes();
        }
    }

    /** From the broadcast variable with just the block of the source that the chunk needs. */
    record Piece(int index, Access access) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) {
            Block piece = Meter.shared(task.chunk().piece(index));
            Box box = access.box(task.box()); // a step of a stream needs a part of it
            return task.moved(access, box.of(task.scope().share(piece.tensor()), piece.box()));
        }

        @Override
        public long replicatedBytes(ChunkPartition chunk) {
            return BlockCodec.payloadBytes(chunk.piece(index).value().tensor());
        }
    }

    /** From files, of which the chunk has those that it needs. */
    record Stored(int index, Access access) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) throws IOException {
            return task.moved(access, task.stored(task.chunk().reader(index), access));
        }
    }

    /** From the chunks of a parent that overlap, found by index. */
    record Parent(int index, DType dtype, Access access, ChunkGrid grid) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) {
            return task.moved(access, task.gathered(index, dtype, grid, access));
        }
    }

    /** From the pieces that Spark's shuffle brought. */
    record Shuffled(int index, DType dtype, Access access) implements Feed {
        @Override
        public Tensor operand(ChunkTask task) {
            return task.moved(access, task.shuffled(index, dtype, access));
        }
    }
}
