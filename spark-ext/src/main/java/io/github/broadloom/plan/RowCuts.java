package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Source.Residence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds where one dimension of what a stage goes over is cut: into as many parts as there are tasks. */
final class RowCuts {
    /** Cuts are kept while chunks grow to no more than this many times their size. */
    private static final int COARSEST = 4;

    /** Tasks for each that runs at a time, as chunks have it: each one more costs a millisecond or two. */
    private static final int TASKS_PER_SLOT = 2;

    private final Settings settings;
    private final long rows;
    private final List<Follower> followers;

    /**
     * An operand that is cut as the dimension is.
     *
     * @param cuts that it has already; null where it has none
     * @param rowBytes the bytes that belong to one index of the dimension
     */
    record Follower(Source source, @Nullable RowGrid cuts, long rowBytes) {}

    /** @param rows the size of the dimension */
    RowCuts(Settings settings, long rows, List<Follower> followers) {
        this.settings = settings;
        this.rows = rows;
        this.followers = followers;
    }

    /**
     * Keeps the cuts of the largest operand that has any, and cuts its chunks further where an operand with wider rows
     * would make them much larger than chunks are; otherwise cuts by the bytes of the widest row, or by the work on one.
     *
     * @param outputBytes those of the result that belong to one index; none of what is folded
     */
    RowGrid of(List<Expr> outputs, long outputBytes) {
        @Nullable Follower fixed = null;
        long work = Sizes.workBytes(outputs, rows);
        long widest = 0;
        for (Follower follower : followers) {
            widest = Math.max(widest, follower.rowBytes);
            if (follower.cuts != null && (fixed == null || precedes(follower.source, fixed.source))) {
                fixed = follower;
            }
        }
        if (fixed != null && fixed.cuts != null) {
            return kept(fixed, fixed.cuts, Math.max(widest, work));
        }
        return outputBytes == 0 ? byBytes(Math.max(widest, work)) : shared(Math.max(widest, outputBytes), work);
    }

    private RowGrid byBytes(long rowBytes) {
        return RowGrid.ofBytes(rows, rowBytes, settings.chunkBytesOf(Sizes.saturated(rows, rowBytes)));
    }

    /**
     * Cuts by bytes, or by work where that is more than the bytes tell. Work is shared out evenly where the number of tasks at a time is known,
     * and in no more tasks than it takes to keep all of them busy.
     */
    private RowGrid shared(long widest, long work) {
        RowGrid byBytes = byBytes(widest);
        RowGrid byWork = RowGrid.ofBytes(rows, work, settings.chunkBytes());
        int slots = settings.slots();
        if (work <= widest || byWork.chunks() <= byBytes.chunks()) {
            return byBytes;
        }
        if (byWork.chunks() <= slots) {
            return byWork;
        }
        int wanted = Math.min(byWork.chunks(), Math.max(byBytes.chunks(), TASKS_PER_SLOT * slots));
        return RowGrid.ofChunks(rows, (wanted + slots - 1) / slots * slots);
    }

    private RowGrid kept(Follower fixed, RowGrid cuts, long widest) {
        long most = RowGrid.ofBytes(rows, widest, settings.chunkBytes()).mostRows();
        boolean wider = widest > fixed.rowBytes;
        return wider && cuts.mostRows() / COARSEST > most ? cuts.refined(most) : cuts;
    }

    private static boolean precedes(Source a, Source b) {
        boolean clusterA = a.residence() == Residence.CLUSTER;
        boolean clusterB = b.residence() == Residence.CLUSTER;
        return clusterA != clusterB ? clusterA : a.sizeBytes() > b.sizeBytes();
    }
}
