package io.github.broadloom.bench;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/** The operands of a workload as the columns of a table, which Spark keeps in memory: once for all who ask for the same ones, one after another. */
final class Table {
    private static final String INDEX = "row";
    private static final int PARTITIONS_A_THREAD = 4;

    private final SparkSession session;
    private final int partitions;
    private List<Workload.Operand> columns = List.of();
    private Optional<Dataset<Row>> kept = Optional.empty();
    private final SparkWarmUp warmUp = new SparkWarmUp();

    Table(SparkSession session, int threads) {
        this.session = session;
        this.partitions = partitions(threads);
    }

    static int partitions(int threads) {
        return PARTITIONS_A_THREAD * threads;
    }

    void warmUp(Workload workload, Rounds rounds) {
        Dataset<Row> rows = of(workload);
        warmUp.once(rounds, () -> TableContender.read(rows.select("*")));
    }

    /** A row for each of the leading dimension, in memory. */
    Dataset<Row> of(Workload workload) {
        if (kept.isEmpty() || !columns.equals(workload.operands())) {
            kept.ifPresent(Dataset::unpersist);
            kept = Optional.of(made(workload));
            columns = workload.operands();
        }
        return kept.get();
    }

    private Dataset<Row> made(Workload workload) {
        Map<String, Tensor> inputs = WorkloadInputs.of(workload, Device.CPU);
        try {
            Broadloom broadloom = Broadloom.on(session);
            Dataset<Row> table = inputs.entrySet().stream()
                    .map(input -> broadloom.tensor(input.getValue(), partitions).toDataFrame(INDEX, input.getKey()))
                    .reduce((left, right) -> left.join(right, INDEX))
                    .orElseThrow();
            Dataset<Row> stored = table.repartition(partitions).persist(StorageLevel.MEMORY_ONLY());
            stored.count();
            return stored;
        } finally {
            WorkloadInputs.release(inputs);
        }
    }
}
