package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Source.Residence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds where the rows of a stage are cut into chunks: one for each task. */
final class RowCuts {
    /** Cuts are kept while chunks grow to no more than this many times their size. */
    private static final int COARSEST = 4;

    /** Tasks for each that runs at a time, as chunks have it: each one more costs a millisecond or two. */
    private static final int TASKS_PER_SLOT = 2;

    private final Settings settings;
    private final long rows;
    private final List<Source> aligned;

    /** @param aligned the operands whose rows are the stage's */
    RowCuts(Settings settings, long rows, List<Source> aligned) {
        this.settings = settings;
        this.rows = rows;
        this.aligned = aligned;
    }

    /** The chunks of a stage: one where it runs on the driver or its lines go through all rows. */
    RowGrid of(Stage.Kind kind, List<Expr> outputs) {
        return switch (kind) {
            case DRIVER, WHOLE -> RowGrid.whole(rows);
            case CHUNKS, FOLD -> cut(kind, outputs);
        };
    }

    /**
     * Keeps the cuts of the largest operand that has any, and cuts its chunks further where an operand with wider rows
     * would make them much larger than chunks are; otherwise cuts by the bytes of the widest row, or by the work on one.
     */
    private RowGrid cut(Stage.Kind kind, List<Expr> outputs) {
        @Nullable Source fixed = null;
        long work = Sizes.workBytes(outputs, rows);
        long widest = 0;
        for (Source source : aligned) {
            widest = Math.max(widest, Sizes.rowBytes(source.dtype(), source.shape()));
            if (source.grid() != null && (fixed == null || precedes(source, fixed))) {
                fixed = source;
            }
        }
        if (fixed != null && fixed.grid() != null) {
            return kept(fixed, fixed.grid(), Math.max(widest, work));
        }
        if (kind == Stage.Kind.FOLD) {
            return byBytes(Math.max(widest, work));
        }
        Expr output = outputs.get(0);
        if (output.shape().rank() == 0) {
            return RowGrid.whole(1);
        }
        return shared(Math.max(widest, Sizes.rowBytes(output.dtype(), output.shape())), work);
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

    private RowGrid kept(Source fixed, RowGrid cuts, long widest) {
        long most = RowGrid.ofBytes(rows, widest, settings.chunkBytes()).mostRows();
        boolean wider = widest > Sizes.rowBytes(fixed.dtype(), fixed.shape());
        return wider && cuts.mostRows() / COARSEST > most ? cuts.refined(most) : cuts;
    }

    private static boolean precedes(Source a, Source b) {
        boolean clusterA = a.residence() == Residence.CLUSTER;
        boolean clusterB = b.residence() == Residence.CLUSTER;
        return clusterA != clusterB ? clusterA : a.sizeBytes() > b.sizeBytes();
    }
}
