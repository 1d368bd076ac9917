package io.github.broadloom.exec.cache;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of an expression that Spark keeps once they have been computed: in its cache, in a checkpoint, or in both. The RDD is made
 * when the first action needs it. A checkpoint lets go of the expression, and of all that it was made from.
 */
public final class CachedSource implements Source {
    private final DType dtype;
    private final ChunkGrid grid;
    private final String name;
    private final Kept kept;

    /** What Spark keeps, whatever it is called. Its monitor is for its fields alone: while jobs make the chunks, a lock of their own is held. */
    private static final class Kept {
        private final ReentrantLock making = new ReentrantLock();
        private StorageLevel level;
        /** What is made of the chunks of the plan. */
        private final UnaryOperator<RDD<Block>> then;
        /** Null from the checkpoint on, as the plan is; and where no expression says what is made of the chunks. */
        private @Nullable Expr expr;

        private @Nullable Plan plan;
        private @Nullable RDD<Block> chunks;
        private Checkpoint checkpoint = Checkpoint.NONE;
        private boolean dropped;

        Kept(@Nullable Expr expr, Plan plan, StorageLevel level, UnaryOperator<RDD<Block>> then) {
            this.expr = expr;
            this.then = then;
            this.plan = plan;
            this.level = level;
        }

        boolean isCut() {
            return plan == null;
        }
    }

    /**
     * @param plan how to make the chunks; its last stage leaves them on the cluster
     * @param level where Spark caches them; {@link StorageLevel#NONE} where they are only meant for a checkpoint, or are computed whenever they are read
     */
    public CachedSource(Expr expr, Plan plan, StorageLevel level, String name) {
        this(expr.dtype(), plan.last().resultGrid(), name, new Kept(expr, plan, level, UnaryOperator.identity()));
    }

    /**
     * Chunks that something else than an expression makes of those of a plan, whenever they are read.
     *
     * @param grid theirs: as many, in the same order
     */
    public static CachedSource mapped(
            DType dtype, ChunkGrid grid, String name, Plan plan, UnaryOperator<RDD<Block>> then) {
        return new CachedSource(dtype, grid, name, new Kept(null, plan, StorageLevel.NONE(), then));
    }

    private CachedSource(DType dtype, ChunkGrid grid, String name, Kept kept) {
        this.dtype = dtype;
        this.grid = grid;
        this.name = name;
        this.kept = kept;
    }

    @Override
    public CachedSource named(String other) {
        return new CachedSource(dtype, grid, other, kept);
    }

    /** What the chunks are computed from; null once a checkpoint has cut that off, and where no expression says it. */
    public @Nullable Expr expr() {
        synchronized (kept) {
            return kept.expr;
        }
    }

    /** How the chunks are computed; nothing once a checkpoint has cut that off. */
    public Optional<Plan> plan() {
        synchronized (kept) {
            return Optional.ofNullable(kept.plan);
        }
    }

    /**
     * The chunks, cached or checkpointed as they are to be; for a plan that was made before they were dropped, computed anew and not
     * kept. One caller makes them, in jobs, and others who want them wait for it.
     *
     * @param compute makes the chunks of a plan
     */
    public RDD<Block> chunks(JobRunner jobs, Function<Plan, RDD<Block>> compute) {
        beginMaking();
        try {
            RDD<Block> chunks = cached(compute);
            Checkpoint wanted = wantedCheckpoint();
            if (wanted == Checkpoint.NONE) {
                return chunks;
            }
            RDD<Block> cut = wanted.make(chunks, jobs, name);
            synchronized (kept) {
                kept.chunks = cut;
                kept.expr = null;
                kept.plan = null;
            }
            return cut;
        } finally {
            kept.making.unlock();
        }
    }

    private void beginMaking() {
        try {
            kept.making.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException(
                    "Cannot read " + name + ": its thread was interrupted while another one computed it");
        }
    }

    private RDD<Block> cached(Function<Plan, RDD<Block>> compute) {
        Plan plan;
        synchronized (kept) {
            if (kept.chunks != null) {
                return kept.chunks;
            }
            if (kept.plan == null) {
                throw lost();
            }
            plan = kept.plan;
        }
        RDD<Block> made = kept.then.apply(compute.apply(plan));
        synchronized (kept) {
            if (!kept.dropped) {
                kept.chunks = kept.level.equals(StorageLevel.NONE()) ? made : CachedChunks.persist(made, kept.level);
                kept.chunks.setName(name);
            }
        }
        return made;
    }

    private Checkpoint wantedCheckpoint() {
        synchronized (kept) {
            return kept.chunks == null || kept.isCut() ? Checkpoint.NONE : kept.checkpoint;
        }
    }

    /**
     * Wants a checkpoint, which the next {@link #chunks} makes.
     *
     * @return whether this source can have it: not beside one of another kind, and a local one not of chunks that Spark may simply drop
     */
    public boolean wantCheckpoint(Checkpoint kind) {
        synchronized (kept) {
            boolean mayVanish = kind == Checkpoint.LOCAL && kept.chunks != null && !kept.level.useDisk();
            if (kept.checkpoint == Checkpoint.NONE && !kept.dropped && !mayVanish) {
                kept.checkpoint = kind;
            }
            return kept.checkpoint == kind;
        }
    }

    /** Wants none any more, where it could not be made; where that was all it was for, the expression stands for it again. */
    public void forgoCheckpoint() {
        synchronized (kept) {
            if (!kept.isCut()) {
                kept.dropped |= !isCached() && kept.expr != null;
                kept.checkpoint = Checkpoint.NONE;
            }
        }
    }

    /** Whether Spark caches the chunks, besides a checkpoint in files. */
    public boolean isCached() {
        synchronized (kept) {
            return !kept.level.equals(StorageLevel.NONE());
        }
    }

    /** Lets Spark forget the chunks, once nobody makes them; from now on the expression stands for them. A checkpoint in files stays. */
    public void drop() {
        kept.making.lock();
        try {
            RDD<Block> chunks;
            synchronized (kept) {
                chunks = kept.chunks;
                if (kept.isCut() && kept.checkpoint == Checkpoint.RELIABLE) {
                    kept.level = StorageLevel.NONE();
                } else {
                    kept.dropped = true;
                    kept.chunks = null;
                }
            }
            if (chunks != null) {
                CleanUp.drop(chunks);
            }
        } finally {
            kept.making.unlock();
        }
    }

    /** Nothing once they are made, where Spark does not drop them again. */
    @Override
    public long taskBytes() {
        synchronized (kept) {
            boolean made = kept.chunks != null && kept.level.useDisk();
            if (kept.plan == null || made) {
                return 0;
            }
            long mapped = kept.expr == null ? dtype.sizeBytes(grid.largest().numel()) : 0;
            return kept.plan.last().peakBytes() + mapped;
        }
    }

    public boolean isDropped() {
        synchronized (kept) {
            return kept.dropped && !kept.isCut();
        }
    }

    /** @throws IllegalStateException where it was a local checkpoint that was dropped, so that nothing stands for it any more */
    public void requireKept() {
        synchronized (kept) {
            if (kept.dropped && kept.isCut()) {
                throw lost();
            }
        }
    }

    private IllegalStateException lost() {
        return new IllegalStateException(
                "Cannot read " + name
                        + ": its local checkpoint was unpersisted, and what it was computed from is forgotten; build it again, or use checkpoint()");
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public Shape shape() {
        return grid.shape();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String origin() {
        synchronized (kept) {
            return switch (kept.checkpoint) {
                case NONE ->
                    !kept.level.equals(StorageLevel.NONE()) ? "cached" : kept.expr == null ? "mapped" : "rechunked";
                case RELIABLE -> kept.level.equals(StorageLevel.NONE()) ? "checkpoint" : "cached, with a checkpoint";
                case LOCAL -> "local checkpoint";
            };
        }
    }

    @Override
    public ChunkGrid grid() {
        return grid;
    }

    @Override
    public Residence residence() {
        return Residence.CLUSTER;
    }
}
