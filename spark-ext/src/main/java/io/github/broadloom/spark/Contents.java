package io.github.broadloom.spark;

import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.exec.cache.Checkpoint;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a handle stands for: an expression, or the chunks that Spark keeps of it. */
final class Contents {
    private final List<CachedSource> kept = new ArrayList<>();
    private Expr expr;

    Contents(Expr expr) {
        this.expr = expr;
    }

    synchronized Expr expr() {
        return expr;
    }

    /** Stands for something else from now on; what was kept stays for those who read it. */
    synchronized void replace(Expr other) {
        expr = other;
    }

    /**
     * Stands for chunks in Spark's cache.
     *
     * @param keepable the chunks of an expression; asked unless they are cached already
     */
    synchronized CachedSource cache(Function<Expr, CachedSource> keepable) {
        CachedSource known = known();
        return known != null && known.isCached() ? known : keep(keepable.apply(expr));
    }

    /**
     * Stands for chunks of which the next job makes a checkpoint.
     *
     * @param keepable the chunks of an expression; asked unless those that are kept already can have the checkpoint
     */
    synchronized CachedSource checkpoint(Checkpoint kind, Function<Expr, CachedSource> keepable) {
        CachedSource known = known();
        if (known != null && known.wantCheckpoint(kind)) {
            return known;
        }
        CachedSource source = keepable.apply(expr);
        source.wantCheckpoint(kind);
        return keep(source);
    }

    private CachedSource keep(CachedSource source) {
        kept.add(source);
        expr = Input.of(source, expr.dtype(), expr.shape()).warned(expr.warned());
        return source;
    }

    /** What is kept of this very value; null where nothing is. */
    private @Nullable CachedSource known() {
        return expr instanceof Input input && input.source() instanceof CachedSource source ? source : null;
    }

    /** Lets Spark forget everything, and stands for the expression again, unless that is forgotten. */
    void unpersist() {
        letGo().forEach(CachedSource::drop);
    }

    private synchronized List<CachedSource> letGo() {
        CachedSource known = known();
        Expr before = known == null ? null : known.expr();
        if (before != null) {
            expr = before;
        }
        List<CachedSource> all = List.copyOf(kept);
        kept.clear();
        return all;
    }
}
