package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Source.Residence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds where one dimension of what a stage goes over is cut: into as many parts as there are tasks. */
record RowCuts(Settings settings, long rows, List<RowCuts.Follower> followers) {
    /** Cuts are kept while chunks grow to no more than this many times their size. */
    static final int COARSEST = 4;

    /** Tasks for each that runs at a time, as chunks have it: each one more costs a millisecond or two. */
    private static final int TASKS_PER_SLOT = 2;

    /** What lies in chunks on the cluster comes first, then what is larger. */
    static final Comparator<Source> PRECEDENCE = Comparator.comparing(
                    (Source source) -> source.residence() != Residence.CLUSTER)
            .thenComparing(Comparator.comparingLong(Source::sizeBytes).reversed());

    /** An operand that is cut as the dimension is, with the cuts that it has already, if any, and the bytes that belong to one index of the dimension. */
    record Follower(Source source, @Nullable KnownCuts cuts, long rowBytes) {
        /** Whether its cuts are chunks that somebody chose, not the sides of blocks. */
        boolean isOfRows() {
            ChunkGrid own = source.grid();
            return own != null && own.cutsRowsAlone();
        }

        /** Whether they are, and nothing has wider rows. */
        boolean isChosen(long widest) {
            return isOfRows() && rowBytes >= widest;
        }
    }

    /**
     * Keeps the cuts of the largest operand that has any, of the next one where that has no elements, and so on, those first that are as fine as chunks are, and cuts chunks further that would be much
     * larger: because an operand has wider rows, none has cuts there, or they are the sides of blocks. Otherwise cuts by the bytes of the
     * widest row, or by the work on one.
     *
     * @param outputBytes those of the result that belong to one index; none of what is folded
     */
    RowGrid of(List<Expr> outputs, long outputBytes) {
        long work = Sizes.workBytes(outputs, rows);
        long widest = followers.stream().mapToLong(Follower::rowBytes).max().orElse(0);
        long ofRow = Math.max(widest, work);
        List<Follower> kept = kept(ofRow);
        if (!kept.isEmpty()) {
            return joined(kept, ofRow);
        }
        return outputBytes == 0 ? byBytes(Math.max(widest, work)) : shared(Math.max(widest, outputBytes), work);
    }

    /** Those whose cuts are kept: no two of them have elements for the same index. */
    private List<Follower> kept(long widest) {
        List<Follower> kept = new ArrayList<>();
        followers.stream()
                .filter(follower -> follower.cuts != null)
                .sorted(Comparator.comparing((Follower follower) -> isTooCoarse(follower, widest))
                        .thenComparing(Follower::source, PRECEDENCE))
                .filter(follower -> kept.stream().noneMatch(other -> overlap(follower, other)))
                .forEach(kept::add);
        return kept;
    }

    /** Whether its chunks would be much larger than chunks are, and are not those that somebody chose for all. */
    private boolean isTooCoarse(Follower follower, long widest) {
        return !follower.isChosen(widest)
                && Objects.requireNonNull(follower.cuts).most() / COARSEST > mostRows(widest);
    }

    private long mostRows(long widest) {
        return RowGrid.ofBytes(rows, widest, settings.chunkBytes()).mostRows();
    }

    private static boolean overlap(Follower a, Follower b) {
        return a.cuts != null && b.cuts != null && a.cuts.overlap(b.cuts);
    }

    private RowGrid joined(List<Follower> kept, long widest) {
        List<KnownCuts> parts =
                kept.stream().map(Follower::cuts).filter(Objects::nonNull).toList();
        RowGrid cuts = KnownCuts.joined(parts, rows);
        long covered =
                parts.stream().mapToLong(part -> part.end() - part.start()).sum();
        boolean chosen = covered == rows && kept.stream().allMatch(f -> f.isChosen(widest));
        long most = mostRows(widest);
        return !chosen && cuts.mostRows() / COARSEST > most ? cuts.refined(most) : cuts;
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
}
