package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.SideRows;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.catalyst.InternalRow;

/** What searches read of rows that all tasks of a JVM have: it is there once, from the first task that asks until the last has ended. */
final class SharedReads {
    private final List<Shared> all = new ArrayList<>();

    private static final class Shared {
        private final InternalRow[] rows;
        private final UUID join;
        private final SideRows read;
        private int users;

        Shared(InternalRow[] rows, UUID join, SideRows read) {
            this.rows = rows;
            this.join = join;
            this.read = read;
        }
    }

    /** What a search reads of these rows; to be {@linkplain #release released}. */
    synchronized SideRows acquire(InternalRow[] rows, NearestTask task, PairSearch search) {
        Shared shared = all.stream()
                .filter(each -> each.rows == rows && each.join.equals(task.join()))
                .findFirst()
                .orElseGet(() -> {
                    Shared read = new Shared(rows, task.join(), search.right(rows, rows.length));
                    all.add(read);
                    return read;
                });
        shared.users++;
        return shared.read;
    }

    synchronized void release(SideRows read) {
        all.removeIf(each -> {
            boolean isLast = each.read == read && --each.users == 0;
            if (isLast) {
                read.close();
            }
            return isLast;
        });
    }
}
