package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.ParentsDependency;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.NamedColumn;
import io.github.broadloom.table.TensorColumn;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;

/**
 * One column of a table as a tensor: its rows are the leading dimension, and each partition with rows is a chunk. Spark makes the rows again
 * whenever an action needs them, unless it keeps them.
 *
 * @param chunks one in each partition, in order
 */
public record TableSource(RDD<Block> chunks, DType dtype, ChunkGrid grid, String name) implements Source {
    /** What the column is called by which rows are sorted, so that no name of the user's is meant. */
    private static final String KEY = "broadloom order";

    /**
     * A column of a table. One job counts the rows of each partition, and looks at one cell of each, where the column does not declare its
     * shape. Of a table that Spark keeps in memory the rows are known, and one cell of all is looked at.
     *
     * @param order the column by which the rows are sorted, ascending; null to take them as they are
     * @throws IllegalArgumentException naming the column, where there is none of that name, or where it holds no numbers, or cells of different shapes; what is only seen when all
     *     cells are read is said then
     */
    public static Source of(Dataset<Row> table, String column, @Nullable String order) {
        return of(table, column, order, RowKeys.Kind.NAMES);
    }

    /**
     * As {@link #of}, of a table that has the place of each row in a column.
     *
     * @throws IllegalArgumentException as there, and where that does not number the rows from 0 on, without gaps
     */
    public static Source ofPlaces(Dataset<Row> table, String column, String index) {
        return of(table, column, index, RowKeys.Kind.PLACES);
    }

    private static Source of(Dataset<Row> table, String column, @Nullable String order, RowKeys.Kind kind) {
        Column value = NamedColumn.of(table, column, "read");
        int place = List.of(table.columns()).indexOf(column);
        StructField field = table.schema().apply(place);
        CellType cells = cells(field);
        if (order == null) {
            return of(field, cells, ColumnRows.of(table, value, place), null);
        }
        Dataset<Row> keyed = table.select(
                value, NamedColumn.of(table, order, "order rows by").as(KEY));
        RowKeys keys = new RowKeys(order, keyed.schema().apply(KEY), kind);
        return of(field, cells, ColumnRows.of(keyed.sort(functions.col("`" + KEY + "`"))), keys);
    }

    private static CellType cells(StructField field) {
        CellType type = CellType.of(field.dataType())
                .orElseThrow(() -> new IllegalArgumentException("Cannot read column " + field.name() + ": it is "
                        + field.dataType().sql() + "; select numbers or arrays of numbers"));
        return TensorColumn.shape(field.metadata()).map(type::declaring).orElse(type);
    }

    private static Source of(StructField field, CellType cells, ColumnRows rows, @Nullable RowKeys keys) {
        List<TableScan.Part> parts = new TableScan(field, cells, keys).parts(rows);
        Shape cell = cells.declared() != null ? cells.declared() : cell(field.name(), cells, parts);
        List<Long> bounds = new ArrayList<>(List.of(0L));
        List<Integer> partitions = new ArrayList<>();
        for (TableScan.Part part : parts) {
            if (part.rows() > 0) {
                bounds.add(bounds.get(bounds.size() - 1) + part.rows());
                partitions.add(part.partition());
            }
        }
        if (partitions.isEmpty()) {
            bounds.add(0L);
        }
        Shape shape = cell.withLeading(bounds.get(bounds.size() - 1));
        ChunkGrid grid = ChunkGrid.of(
                shape, RowGrid.of(bounds.stream().mapToLong(Long::longValue).toArray()));
        RDD<Block> chunks = new TableRDD(rows.rdd(), partitions, grid, new TableReader(field, cells, cell));
        return new TableSource(chunks, cells.dtype(), grid, field.name());
    }

    private static Shape cell(String name, CellType cells, List<TableScan.Part> parts) {
        Shape shape = null;
        for (TableScan.Part part : parts) {
            Shape found = part.cell();
            if (shape != null && found != null && !found.equals(shape)) {
                throw new IllegalArgumentException(
                        "Cannot read column " + name + ": it has cells of the shapes " + shape + " and " + found);
            }
            shape = found == null ? shape : found;
        }
        if (shape == null && cells.rank() > 0) {
            throw new IllegalArgumentException(
                    "Cannot read column " + name + ": it has no rows, and nothing tells the shape of its cells");
        }
        return shape == null ? Shape.SCALAR : shape;
    }

    @Override
    public TableSource named(String other) {
        return new TableSource(chunks, dtype, grid, other);
    }

    @Override
    public Shape shape() {
        return grid.shape();
    }

    @Override
    public String origin() {
        return "table column";
    }

    @Override
    public Residence residence() {
        return Residence.CLUSTER;
    }

    /** The chunks of a table's column: one for each partition that has rows. */
    private static final class TableRDD extends RDD<Block> {
        private static final long serialVersionUID = 1L;

        private final transient List<Integer> parents;
        private final transient ChunkGrid grid;
        private final TableReader reader;

        /** @param parents the partitions with rows, one for each chunk; none where the one chunk is empty */
        TableRDD(RDD<InternalRow> rows, List<Integer> parents, ChunkGrid grid, TableReader reader) {
            super(
                    rows.context(),
                    Scala.seq(List.of(new ParentsDependency<>(
                            rows, chunk -> parents.isEmpty() ? List.of() : List.of(parents.get(chunk))))),
                    Scala.tag(Block.class));
            this.parents = parents;
            this.grid = grid;
            this.reader = reader;
        }

        /** A chunk's rows, and the partition that has them; empty where there are none. */
        private record Rows(int index, long firstRow, long count, Partition[] parent) implements Partition {}

        @SuppressWarnings("unchecked")
        private RDD<InternalRow> rows() {
            return (RDD<InternalRow>) dependencies().apply(0).rdd();
        }

        @Override
        public Partition[] getPartitions() {
            Partition[] all = rows().partitions();
            Partition[] chunks = new Partition[grid.chunks()];
            for (int i = 0; i < chunks.length; i++) {
                Partition[] parent = parents.isEmpty() ? new Partition[0] : new Partition[] {all[parents.get(i)]};
                chunks[i] = new Rows(i, grid.box(i).start(0), grid.box(i).size(0), parent);
            }
            return chunks;
        }

        @Override
        public Iterator<Block> compute(Partition split, TaskContext context) {
            Rows chunk = (Rows) split;
            Iterator<InternalRow> cells =
                    chunk.parent.length == 0 ? Scala.iterator(List.of()) : rows().iterator(chunk.parent[0], context);
            return Scala.iterator(
                    List.of(Block.owning(reader.read(cells, chunk.firstRow, chunk.count), chunk.firstRow)));
        }
    }

    /** Stacks the cells of a column: one copy of memory for each flat cell. */
    private static final class TableReader implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String name;
        private final DType dtype;
        private final Shape cell;
        private final CellReader reader;

        TableReader(StructField field, CellType cells, Shape cell) {
            this.name = field.name();
            this.dtype = cells.dtype();
            this.cell = cell;
            this.reader = new CellReader("read column", name, cells);
        }

        /**
         * The cells of some rows, whose first column they are.
         *
         * @param count how many there must be
         * @throws IllegalArgumentException naming the row, where a cell is null or of another shape
         * @throws IllegalStateException where there are fewer rows, or more
         */
        Tensor read(Iterator<InternalRow> rows, long firstRow, long count) {
            return TensorBytes.filled(Tensors.empty(dtype, cell.withLeading(count)), tensor -> {
                long row = 0;
                long address = tensor.address();
                long bytes = dtype.sizeBytes(cell.numel());
                while (rows.hasNext()) {
                    if (row == count) {
                        throw changed(count);
                    }
                    add(rows.next(), firstRow + row, address + row * bytes);
                    row++;
                }
                if (row < count) {
                    throw changed(count);
                }
            });
        }

        private void add(InternalRow row, long number, long address) {
            Object value = reader.cell(row, 0);
            if (value == null) {
                throw new IllegalArgumentException("Cannot read column " + name + ": row " + number
                        + " is null; filter such rows out, or fill them");
            }
            if (!reader.hasShape(value, cell)) {
                throw new IllegalArgumentException("Cannot read column " + name + ": row " + number + " has the shape "
                        + reader.shape(value) + ", others have " + cell);
            }
            reader.read(value, cell, address);
        }

        private IllegalStateException changed(long count) {
            return new IllegalStateException("Cannot read column " + name + ": a partition that had " + count
                    + " rows when they were counted has others now; cache the table, or write it to files, before it is"
                    + " made a tensor");
        }
    }
}
