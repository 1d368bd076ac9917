package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Groups, and places that are looked up, whose labels and indices come in runs, as the hours of each day do: chunks that have whole runs compute them by themselves, and little is brought
 * together. To the same bits, as the elements of a run are joined one after the other.
 *
 * @param ends of each run, the index behind its last one
 * @param values what all indices of each run have
 * @param ofBlock how many there are in each block of indices, where none goes beyond its block
 */
record Runs(long[] ends, long[] values, int ofBlock) {
    /** More groups have ends that are as large as what is grouped. */
    private static final long MOST_GROUPS = 1 << 24;

    /** What a task makes of a run is as large, and something of its operands beside. */
    private static final int ROOM = 4;

    /** What comes of the runs is brought together, and sent twice at times. */
    private static final int LEAST_PART = 4;

    private static final int NONE = -1;

    /** The expressions with runs in the place of single indices, where labels or indices are known, a task has room for the longest run, and that spares sending what is grouped or looked up. */
    static List<Expr> found(Settings settings, List<Expr> roots) {
        return Graphs.rewrite(roots, (node, over) -> {
            if (over instanceof Grouped grouped) {
                return grouped(settings, grouped);
            }
            return over instanceof Gather gather ? lookedUp(settings, gather) : over;
        });
    }

    private static Expr grouped(Settings settings, Grouped grouped) {
        Shape shape = grouped.operand().shape();
        long size = shape.size(grouped.dim());
        boolean isLarge = grouped.by() == Grouped.By.LABELS
                && Sizes.bytes(grouped.operand()) > settings.chunkBytes()
                && grouped.told().shape().numel() == size
                && grouped.groups() <= MOST_GROUPS;
        Optional<KnownIntegers> known = isLarge ? KnownIntegers.of(grouped.told(), size) : Optional.empty();
        if (known.isEmpty()) {
            return grouped;
        }
        long longest = mostBytes(settings) / Math.max(1, Sizes.bytes(grouped.operand()) / size);
        KnownIntegers labels = known.get();
        return labels.ascend() && labels.areWithin(grouped.groups())
                ? ofSegments(grouped, labels, longest)
                : ofParts(settings, grouped, labels, longest);
    }

    /** Of a run: of several chunks, and of more where tasks are known to have much more room. */
    private static long mostBytes(Settings settings) {
        long most = Math.min(RowCuts.COARSEST * settings.chunkBytes(), settings.taskBytes() / ROOM);
        return settings.taskBytes() == Settings.UNKNOWN_BYTES
                ? most
                : Math.max(most, settings.taskBytes() / (2 * ROOM));
    }

    /** Groups that are runs themselves, wherever the other groups are; none of them is of more than two blocks. */
    private static Expr ofSegments(Grouped grouped, KnownIntegers labels, long longest) {
        long[] ends = new long[(int) grouped.groups()];
        for (long label : labels.values()) {
            ends[(int) label]++;
        }
        boolean fits = Arrays.stream(ends)
                .allMatch(
                        count -> count <= longest && count <= grouped.function().block());
        Arrays.parallelPrefix(ends, Long::sum);
        return fits ? grouped.withEnds(labels.beside(ends, grouped.shape().rank(), grouped.dim(), "ends")) : grouped;
    }

    /** Groups of several runs, of which the tasks send what these come to. */
    private static Expr ofParts(Settings settings, Grouped grouped, KnownIntegers labels, long longest) {
        Grouped.Function function = grouped.function();
        boolean joins = grouped.dim() == 0
                && function.kind().joins()
                && (!function.strict() || labels.areWithin(grouped.groups()));
        if (!joins) {
            return grouped;
        }
        Runs runs = of(labels.values(), function.block());
        int rank = grouped.shape().rank();
        Grouped inRuns = grouped.overRuns(
                labels.beside(runs.ends, rank, 0, "ends"), labels.beside(runs.values, rank, 0, "labels"), runs.ofBlock);
        boolean isBetter = LEAST_PART * Sizes.bytes(inRuns.operand()) <= Sizes.bytes(grouped.operand())
                && runs.longest() <= longest
                && (isExact(grouped) || runs.areOfDifferentGroups(grouped.groups()))
                && !StageBuilder.isGroupedAsItLies(settings, grouped);
        return isBetter ? inRuns : grouped;
    }

    /** Whether it is the same in any order. */
    private static boolean isExact(Grouped grouped) {
        Kind kind = grouped.function().kind();
        return kind == Kind.MIN
                || kind == Kind.MAX
                || !grouped.operand().dtype().isFloatingPoint();
    }

    /** What is looked up for each run, and then for each index, which are in the order of the runs. */
    private static Expr lookedUp(Settings settings, Gather gather) {
        int dim = gather.dim();
        boolean isLarge = gather.indices().size() == 1
                && gather.isOfParts()
                && gather.shape().size(dim) <= Operands.MOST_PLACES
                && PassChoice.isLargeAway(settings, gather.operand());
        Optional<KnownIntegers> known = isLarge
                ? KnownIntegers.of(gather.indices().get(0), gather.shape().size(dim))
                        .filter(index ->
                                index.areWithin(gather.operand().shape().size(dim)))
                : Optional.empty();
        if (known.isEmpty() || known.get().ascend() && known.get().leaveOutFew()) {
            return gather;
        }
        Runs runs = of(known.get().values(), Grouped.Function.NO_BLOCK);
        int rank = gather.shape().rank();
        Expr ofRuns =
                gather.withChildren(List.of(gather.operand(), known.get().beside(runs.values, rank, dim, "runs")));
        return LEAST_PART * Sizes.bytes(ofRuns) <= Sizes.bytes(gather)
                ? gather.withChildren(List.of(ofRuns, known.get().beside(runs.numbers(), rank, dim, "indices")))
                : gather;
    }

    /** The runs of each block, and behind those of all but the last as many without an index as others have more. */
    private static Runs of(long[] each, long block) {
        int blocks = (int) ((each.length - 1) / block) + 1;
        int[] counts = new int[blocks];
        for (int i = 0; i < each.length; i++) {
            if (begins(each, i, block)) {
                counts[(int) (i / block)]++;
            }
        }
        int ofBlock = Arrays.stream(counts).max().orElse(0);
        long[] ends = new long[(blocks - 1) * ofBlock + counts[blocks - 1]];
        long[] values = new long[ends.length];
        Arrays.fill(values, NONE);
        int run = -1;
        for (int i = 0; i < each.length; i++) {
            if (i % block == 0) {
                run = (int) (i / block) * ofBlock;
            } else if (begins(each, i, block)) {
                run++;
            }
            values[run] = each[i];
            ends[run] = i + 1L;
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] = Math.max(ends[i], ends[i - 1]);
        }
        return new Runs(ends, values, ofBlock);
    }

    private static boolean begins(long[] each, int i, long block) {
        return i % block == 0 || each[i] != each[i - 1];
    }

    private long longest() {
        long longest = 0;
        for (int run = 0; run < ends.length; run++) {
            longest = Math.max(longest, ends[run] - (run == 0 ? 0 : ends[run - 1]));
        }
        return longest;
    }

    /** Whether those of a block are each of another group. */
    private boolean areOfDifferentGroups(long groups) {
        int[] lastBlock = new int[(int) groups];
        for (int run = 0; run < values.length; run++) {
            int block = run / ofBlock + 1;
            int group = (int) values[run];
            if (group >= 0 && group < groups) {
                if (lastBlock[group] == block) {
                    return false;
                }
                lastBlock[group] = block;
            }
        }
        return true;
    }

    /** The number of the run of each index. */
    private long[] numbers() {
        long[] numbers = new long[(int) ends[ends.length - 1]];
        for (int run = 0; run < ends.length; run++) {
            Arrays.fill(numbers, run == 0 ? 0 : (int) ends[run - 1], (int) ends[run], run);
        }
        return numbers;
    }
}
