package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of an expression that Spark keeps once they have been computed. The RDD is made when the first action needs
 * it.
 */
public final class CachedSource implements Source {
    private final Expr expr;
    private final Plan plan;
    private final StorageLevel level;
    private final String name;
    private final Kept kept;

    /** What Spark keeps, whatever it is called. */
    private static final class Kept {
        private @Nullable RDD<Block> chunks;
        private boolean dropped;
    }

    /** @param plan how to make the chunks; its last stage leaves them on the cluster */
    public CachedSource(Expr expr, Plan plan, StorageLevel level, String name) {
        this(expr, plan, level, name, new Kept());
    }

    private CachedSource(Expr expr, Plan plan, StorageLevel level, String name, Kept kept) {
        this.expr = expr;
        this.plan = plan;
        this.level = level;
        this.name = name;
        this.kept = kept;
    }

    /** The same chunks under another name. */
    CachedSource named(String other) {
        return new CachedSource(expr, plan, level, other, kept);
    }

    /** What the chunks are computed from. */
    public Expr expr() {
        return expr;
    }

    /** The chunks, persisted; for a plan that was made before they were dropped, computed anew and not kept. */
    RDD<Block> chunks(Runner runner) {
        synchronized (kept) {
            if (kept.dropped) {
                return runner.chunks(plan, name);
            }
            if (kept.chunks == null) {
                RDD<Block> chunks = runner.chunks(plan, name).persist(level);
                chunks.setName(name);
                kept.chunks = chunks;
            }
            return kept.chunks;
        }
    }

    /** Lets Spark forget the chunks; from now on the expression stands for them. */
    public void drop() {
        synchronized (kept) {
            kept.dropped = true;
            if (kept.chunks != null) {
                kept.chunks.unpersist(true);
                kept.chunks = null;
            }
        }
    }

    boolean isDropped() {
        synchronized (kept) {
            return kept.dropped;
        }
    }

    @Override
    public DType dtype() {
        return expr.dtype();
    }

    @Override
    public Shape shape() {
        return expr.shape();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String origin() {
        return "cached";
    }

    @Override
    public Residence residence() {
        return Residence.CLUSTER;
    }

    @Override
    public RowGrid grid() {
        return plan.last().grid();
    }
}
