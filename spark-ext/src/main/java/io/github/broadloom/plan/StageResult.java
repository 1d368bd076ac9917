package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The tensor that an earlier stage of the plan leaves on the driver.
 *
 * @param stage that stage's index in the plan
 * @param output the index of its output
 * @param name how the user wrote it
 */
public record StageResult(int stage, int output, String name, DType dtype, Shape shape) implements StageOutput {
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
