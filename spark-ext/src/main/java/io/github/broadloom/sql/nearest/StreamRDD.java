package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.ParentsDependency;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.KLeast;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Left rows with their nearest of a right side that no executor may hold: a task keeps as many left rows as it may, lets the right side stream by, and goes on with the next. There are no more
 * tasks than run at a time, so that the right side is read as seldom as can be.
 */
final class StreamRDD extends RDD<InternalRow> {
    private static final long serialVersionUID = 1;

    private final NearestTask task;
    private final JoinedOutput output;
    private final RDD<InternalRow> left;
    private final RDD<InternalRow> right;

    @SuppressWarnings("serial") // of Stream.toList
    private final List<Expression> wanted;

    private final long rightBytes;
    private final NearestMetrics metrics;
    private final int tasks;

    /** @param wanted what of a right row is kept until it comes out */
    StreamRDD(
            NearestTask task,
            JoinedOutput output,
            RDD<InternalRow> left,
            RDD<InternalRow> right,
            List<Expression> wanted,
            long rightBytes,
            NearestMetrics metrics) {
        super(left.context(), dependencies(left, right), Scala.tag(InternalRow.class));
        this.task = task;
        this.output = output;
        this.left = left;
        this.right = right;
        this.wanted = wanted;
        this.rightBytes = rightBytes;
        this.metrics = metrics;
        this.tasks = tasks(left.getNumPartitions(), left.context());
    }

    /** How many tasks there are for so many left partitions: each takes neighbours. */
    static int tasks(int leftPartitions, SparkContext context) {
        return Math.min(leftPartitions, context.defaultParallelism());
    }

    private static scala.collection.immutable.Seq<Dependency<?>> dependencies(
            RDD<InternalRow> left, RDD<InternalRow> right) {
        List<Integer> all = IntStream.range(0, right.getNumPartitions()).boxed().toList();
        int tasks = tasks(left.getNumPartitions(), left.context());
        return Scala.seq(List.<Dependency<?>>of(
                new ParentsDependency<>(left, task -> of(task, tasks, left.getNumPartitions())),
                new ParentsDependency<>(right, task -> all)));
    }

    /** The left partitions of a task. */
    private static List<Integer> of(int task, int tasks, int partitions) {
        int first = (int) ((long) task * partitions / tasks);
        int end = (int) ((task + 1L) * partitions / tasks);
        return IntStream.range(first, end).boxed().toList();
    }

    /** Some partitions of the left side, and all of the right. */
    private record Part(int index, List<Partition> left, List<Partition> right) implements Partition {
        @Override
        public int hashCode() {
            return index;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Part part && part.index == index;
        }
    }

    @Override
    public Partition[] getPartitions() {
        Partition[] lefts = left.partitions();
        List<Partition> rights = List.of(right.partitions());
        return IntStream.range(0, tasks)
                .mapToObj(part -> new Part(
                        part,
                        of(part, tasks, lefts.length).stream()
                                .map(each -> lefts[each])
                                .toList(),
                        rights))
                .toArray(Partition[]::new);
    }

    @Override
    public scala.collection.Iterator<InternalRow> compute(Partition split, TaskContext context) {
        return CollectionConverters.asScala(new Work((Part) split, context).closedWithTask());
    }

    /** The rows of some partitions, one after the other. */
    private static final class Rows implements Iterator<InternalRow> {
        private final RDD<InternalRow> rdd;
        private final Iterator<Partition> partitions;
        private final TaskContext context;
        private Iterator<InternalRow> rows = Collections.emptyIterator();

        Rows(RDD<InternalRow> rdd, List<Partition> partitions, TaskContext context) {
            this.rdd = rdd;
            this.partitions = partitions.iterator();
            this.context = context;
        }

        @Override
        public boolean hasNext() {
            while (!rows.hasNext() && partitions.hasNext()) {
                rows = CollectionConverters.asJava(rdd.iterator(partitions.next(), context));
            }
            return rows.hasNext();
        }

        @Override
        public InternalRow next() {
            if (!hasNext()) {
                throw new NoSuchElementException("Cannot take a row: there are no more");
            }
            return rows.next();
        }
    }

    private final class Work extends FoundRows {
        private final UnsafeProjection wantedOf = UnsafeProjection.create(Scala.seq(wanted));
        private final Part part;
        private final TaskContext context;
        private final Rows lefts;
        private @Nullable BlockedSearch found;

        Work(Part part, TaskContext context) {
            super(task, output, metrics);
            this.part = part;
            this.context = context;
            this.lefts = new Rows(left, part.left(), context);
        }

        private InternalRow kept(InternalRow row) {
            return wantedOf.apply(row).copy();
        }

        /**
         * As many left rows as may be kept with their results, of which there are no more than rows on the right.
         *
         * @param other one of these, null where there is none
         */
        private InternalRow[] some(@Nullable InternalRow other) {
            long resultBytes = other == null ? 0 : BlockedSearch.bytes(kept(other));
            long mostResults = other == null ? 0 : rightBytes / BlockedSearch.bytes(other) * resultBytes;
            long most = Math.max(task.spec().bytes(), BlockedSearch.BLOCK_BYTES);
            List<InternalRow> rows = new ArrayList<>();
            long own = 0;
            long results = 0;
            while (own + Math.min(results, mostResults) < most && lefts.hasNext()) {
                InternalRow row = lefts.next().copy();
                rows.add(row);
                own += BlockedSearch.bytes(row) + KLeast.bytes(1, task.spec().k());
                results += task.spec().k() * resultBytes;
            }
            return rows.toArray(InternalRow[]::new);
        }

        @Override
        int search() {
            close(); // of those before
            if (!lefts.hasNext()) {
                return 0;
            }
            Rows others = new Rows(right, part.right(), context);
            InternalRow first = others.hasNext() ? others.next().copy() : null;
            InternalRow[] rows = some(first);
            BlockedSearch search = new BlockedSearch(task, rows, this::kept);
            found = search;
            long start = System.nanoTime();
            if (first != null) {
                search.add(first);
            }
            search.stream(others);
            search.end();
            metrics.count(rows.length * search.streamed(), search.ranked(), start);
            return rows.length;
        }

        private BlockedSearch found() {
            return Objects.requireNonNull(found);
        }

        @Override
        InternalRow left(int which) {
            return found().left()[which];
        }

        @Override
        int found(int which) {
            return found().count(which);
        }

        @Override
        InternalRow nearest(int which, int at) {
            return found().nearest(which, at);
        }

        @Override
        long key(int which, int at) {
            return found().key(which, at);
        }

        @Override
        void close() {
            BlockedSearch ended = found;
            found = null;
            if (ended != null) {
                ended.close();
            }
        }
    }
}
