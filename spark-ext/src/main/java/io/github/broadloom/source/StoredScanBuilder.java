package io.github.broadloom.source;

import io.github.broadloom.exec.jobs.SessionSettings;
import io.github.broadloom.plan.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/** Learns from a query which columns of a stored tensor it reads, and which rows by their index. */
final class StoredScanBuilder implements SupportsPushDownRequiredColumns, SupportsPushDownFilters {
    private final Source source;
    private final TableOptions options;
    private final IndexFilter index;
    private final List<Filter> pushed = new ArrayList<>();
    private StructType columns;
    private RowRanges rows;

    StoredScanBuilder(Source source, TableOptions options, StructType columns) {
        this.source = source;
        this.options = options;
        this.columns = columns;
        this.index = new IndexFilter(options.index(), source.shape().size(0));
        this.rows = index.all();
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = required;
    }

    @Override
    public Filter[] pushFilters(Filter[] filters) {
        List<Filter> left = new ArrayList<>();
        for (Filter filter : filters) {
            Optional<RowRanges> found = index.rows(filter);
            found.ifPresent(these -> rows = rows.and(these));
            (found.isPresent() ? pushed : left).add(filter);
        }
        return left.toArray(Filter[]::new);
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.toArray(Filter[]::new);
    }

    @Override
    public Scan build() {
        return new StoredScan(
                source,
                source.cuts(options.over(SessionSettings.of(SparkSession.active()))),
                rows,
                columns,
                List.of(columns.fieldNames()).indexOf(options.index()),
                List.of(columns.fieldNames()).indexOf(options.value()));
    }
}
