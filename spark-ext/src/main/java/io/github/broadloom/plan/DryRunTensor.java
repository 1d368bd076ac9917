package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Input;
import io.github.broadloom.format.FileRanges;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import org.jspecify.annotations.Nullable;

/**
 * A tensor without elements, to plan with: what an expression over terabytes would do, without the terabytes or the cluster.
 *
 * <pre>{@code
 * Shape shape = Shape.of(25_000_000, 100_000); // 10 TB of float32
 * ChunkGrid grid = ChunkGrid.of(shape, RowGrid.ofChunks(25_000_000, 100_000));
 * Expr x = DryRunTensor.cached("x", DType.FLOAT32, grid).input();
 * Settings settings = Settings.defaults().withExecutors(1000, 4, 32L << 30);
 * Plan plan = new Planner(settings).plan(ExprParser.parse("x - x.mean(0)", Map.of("x", x)), Want.CHUNKS);
 * }</pre>
 *
 * @param name how explanations call it
 * @param residence where its elements would lie
 * @param grid the cuts that it would have, or null where it may be cut anywhere
 */
public record DryRunTensor(
        String name,
        DType dtype,
        Shape shape,
        Residence residence,
        @Nullable ChunkGrid grid) implements Source {
    /** A tensor in chunks that executors hold. */
    public static DryRunTensor cached(String name, DType dtype, ChunkGrid grid) {
        return new DryRunTensor(name, dtype, grid.shape(), Residence.CLUSTER, grid);
    }

    /** A tensor in a npy file, of which any task reads any block. */
    public static DryRunTensor inFiles(String name, DType dtype, Shape shape) {
        return new DryRunTensor(name, dtype, shape, Residence.FILE, null);
    }

    public static DryRunTensor local(String name, DType dtype, Shape shape) {
        return new DryRunTensor(name, dtype, shape, Residence.DRIVER, null);
    }

    /** The tensor as an input of expressions; those of one tensor are the same. */
    public Input input() {
        return Input.of(this, dtype, shape);
    }

    @Override
    public long costBytes(Box box) {
        return residence == Residence.FILE ? ranges(box).costBytes() : Source.super.costBytes(box);
    }

    @Override
    public long readingBytes(Shape block) {
        return residence == Residence.FILE ? ranges(Box.whole(block)).readingBytes() : 0;
    }

    private FileRanges ranges(Box box) {
        return new FileRanges(shape, box, dtype.bytes());
    }

    @Override
    public String origin() {
        return switch (residence) {
            case DRIVER -> "local";
            case FILE -> "file";
            case CLUSTER -> "cached";
            case RESULT -> "result";
        };
    }
}
