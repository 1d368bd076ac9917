package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** What an earlier stage of the plan leaves: the tensor of one of its outputs. */
public sealed interface StageOutput extends Source {
    int stage();

    int output();

    /** On the driver. */
    record Value(int stage, int output, String name, DType dtype, Shape shape) implements StageOutput {
        @Override
        public String origin() {
            return "result of step " + (stage + 1);
        }

        @Override
        public Residence residence() {
            return Residence.RESULT;
        }

        @Override
        public @Nullable ChunkGrid grid() {
            return null;
        }
    }

    /** On the cluster; {@code taskBytes} is what a task of that stage holds. */
    record Chunks(int stage, int output, String name, DType dtype, Shape shape, ChunkGrid grid, long taskBytes)
            implements StageOutput {
        @Override
        public String origin() {
            return "chunks of step " + (stage + 1);
        }

        @Override
        public Residence residence() {
            return Residence.CLUSTER;
        }
    }
}
