package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.SideRows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** What a task does with both sides in the order of keys: searches the rows of one key for those of the same. It keeps the right rows of one key at a time. */
final class KeyedSearch implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
    private static final long serialVersionUID = 1;

    private final NearestTask task;
    private final JoinedOutput output;

    @SuppressWarnings("serial") // of List.copyOf
    private final List<Expression> leftKeys;

    @SuppressWarnings("serial")
    private final List<Expression> rightKeys;

    private final NearestMetrics metrics;

    /** @param leftKeys over the rows of the left side */
    KeyedSearch(
            NearestTask task,
            JoinedOutput output,
            List<Expression> leftKeys,
            List<Expression> rightKeys,
            NearestMetrics metrics) {
        this.task = task;
        this.output = output;
        this.leftKeys = List.copyOf(leftKeys);
        this.rightKeys = List.copyOf(rightKeys);
        this.metrics = metrics;
    }

    @Override
    public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
        return (partition, inputs) -> CollectionConverters.asScala(new Work(
                        new Keyed(CollectionConverters.asJava(inputs.apply(0)), leftKeys),
                        new Keyed(CollectionConverters.asJava(inputs.apply(1)), rightKeys))
                .closedWithTask());
    }

    /** Rows in the order of their keys; the first that was not taken yet is looked at. */
    private static final class Keyed {
        private final Iterator<InternalRow> rows;
        private final UnsafeProjection projection;
        private @Nullable InternalRow row;
        private @Nullable UnsafeRow key;

        Keyed(Iterator<InternalRow> rows, List<Expression> keys) {
            this.rows = rows;
            this.projection = UnsafeProjection.create(Scala.seq(keys));
            take();
        }

        /** The key of the next row; null where there are no more. */
        @Nullable UnsafeRow key() {
            return key;
        }

        /** The row, and goes on to the next. */
        @Nullable InternalRow take() {
            InternalRow taken = row;
            row = rows.hasNext() ? rows.next().copy() : null;
            key = row == null ? null : projection.apply(row).copy();
            return taken;
        }
    }

    private final class Work extends BatchSearch {
        private final Keyed lefts;
        private final Keyed rights;
        private final BaseOrdering order;
        private @Nullable UnsafeRow known;
        private InternalRow[] others = new InternalRow[0];
        private @Nullable SideRows read;

        Work(Keyed lefts, Keyed rights) {
            super(task, output, metrics);
            this.lefts = lefts;
            this.rights = rights;
            List<DataType> types = leftKeys.stream().map(Expression::dataType).toList();
            this.order = RowOrdering.createNaturalAscendingOrdering(Scala.seq(types));
        }

        @Override
        int search() {
            UnsafeRow key = lefts.key();
            if (key == null) {
                return 0;
            }
            while (hasRoom() && key.equals(lefts.key())) {
                take(Objects.requireNonNull(lefts.take()));
            }
            if (!key.equals(known)) {
                meet(key);
            }
            return search(others, Objects.requireNonNull(read));
        }

        /** Takes the right rows of a key; NULL is equal to none. */
        private void meet(UnsafeRow key) {
            forget();
            known = key;
            List<InternalRow> met = new ArrayList<>();
            for (UnsafeRow other = rights.key(); other != null && !key.anyNull(); other = rights.key()) {
                int compared = order.compare(other, key);
                if (compared > 0) {
                    break;
                }
                InternalRow row = rights.take();
                if (compared == 0) {
                    met.add(row);
                }
            }
            others = met.toArray(InternalRow[]::new);
            read = search.right(others, others.length);
        }

        private void forget() {
            SideRows there = read;
            read = null;
            if (there != null) {
                there.close();
            }
        }

        @Override
        void close() {
            forget();
            search.close();
        }
    }
}
