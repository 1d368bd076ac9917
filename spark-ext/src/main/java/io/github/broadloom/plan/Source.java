package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of an expression's input lie, as the planner sees it. It is the {@code source()} of an
 * {@code Input}, and two inputs are the same where their sources are the same object.
 */
public interface Source {
    enum Residence {
        /** In the driver's memory. */
        DRIVER,
        /** In files of which any task reads any rows, or nowhere: any task makes any rows. */
        FILE,
        /** In chunks that Spark holds or makes again. */
        CLUSTER,
        /** The result of an earlier stage of the same plan, which the driver will have. */
        RESULT;

        /** Whether tasks come by it without the driver. */
        public boolean isAway() {
            return this == FILE || this == CLUSTER;
        }
    }

    DType dtype();

    Shape shape();

    /** How a person would call it: by the name that an expression uses, else by the file's. */
    String name();

    /** The same under another name, where it may have one. */
    default Source named(String other) {
        return this;
    }

    /** Where it comes from, for {@code explain}: {@code file x.npy}, {@code local}. */
    String origin();

    Residence residence();

    /** How tasks come by their rows of what is in files, for {@code explain}. */
    default String fetching() {
        return "each task reads its byte range";
    }

    /** The cuts that the source has, or that its owner asked for; null where it may be cut anywhere. */
    @Nullable ChunkGrid grid();

    /** The sizes of what is read as a whole, such as the chunk of a file, of which {@link #grid()} has many in a block; null where any box is read alone. */
    default @Nullable Shape piece() {
        return null;
    }

    default boolean hasGrid(ChunkGrid wanted) {
        ChunkGrid own = grid();
        return own != null && own.equals(wanted);
    }

    /** The cuts that it has, else such that chunks of it have their usual size. */
    default ChunkGrid cuts(Settings settings) {
        ChunkGrid own = grid();
        if (own != null || shape().rank() == 0) {
            return own == null ? ChunkGrid.whole(shape()) : own;
        }
        long rowBytes = Sizes.indexBytes(dtype(), shape(), 0);
        return ChunkGrid.of(shape(), RowGrid.ofBytes(shape().size(0), rowBytes, settings.chunkBytesOf(sizeBytes())));
    }

    /** What making one of its chunks takes, where it lies on the cluster and Spark may have to make it again. */
    default long taskBytes() {
        return 0;
    }

    /** What it costs to read a block where it lies, as bytes that are read in one go: rows are read whole where nothing better is known. */
    default long costBytes(Box box) {
        long rows = shape().rank() == 0 ? 1 : box.size(0);
        return Sizes.saturated(rows, Sizes.bytes(dtype(), shape()) / Math.max(1, Sizes.rows(shape())));
    }

    /** The shape of what a task has in memory when it read a block of that shape. */
    default Shape held(Shape block) {
        return block;
    }

    /** The bytes that the task holds beside that while it reads the block from files. */
    default long readingBytes(Shape block) {
        return 0;
    }

    default long sizeBytes() {
        return Sizes.bytes(dtype(), shape());
    }
}
