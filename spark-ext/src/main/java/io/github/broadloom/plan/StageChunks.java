package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/**
 * The tensor that an earlier stage of the plan leaves on the cluster.
 *
 * @param stage that stage's index in the plan
 * @param output the index of its output
 * @param name how the user wrote it
 * @param taskBytes what a task of that stage holds
 */
public record StageChunks(int stage, int output, String name, DType dtype, Shape shape, ChunkGrid grid, long taskBytes)
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
