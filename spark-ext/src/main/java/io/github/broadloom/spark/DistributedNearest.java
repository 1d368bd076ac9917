package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.nearest.NearestRows;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.sql.nearest.NearestSpec;
import io.github.broadloom.sql.nearest.NearestVectors;
import io.github.broadloom.tensor.Device;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/** The nearest rows of one distributed matrix to each row of another, as a join of tables. */
record DistributedNearest(Broadloom broadloom, Dataset<Row> found) {
    /** Nothing runs. */
    static DistributedNearest of(
            Broadloom broadloom, DistributedTensor a, DistributedTensor b, int k, VectorMetric metric) {
        NearestRows.check(a.shape(), b.shape(), k);
        DType dtype = Promotion.promoteTypes(NearestRows.dtype(a.dtype()), NearestRows.dtype(b.dtype()));
        SparkSession session = broadloom.session();
        NearestSpec spec = new NearestSpec(
                k,
                NearestSpec.Order.DISTANCE,
                NearestSpec.Unmatched.DROP,
                Device.of(broadloom.settings().device()),
                SparkSettings.NEAREST_BYTES
                        .inSpark(SparkSettings.in(session.conf()))
                        .orElse(NearestSpec.DEFAULT_BYTES));
        return new DistributedNearest(
                broadloom,
                NearestVectors.of(a.to(dtype).toDataFrame(), b.to(dtype).toDataFrame(), dtype, metric, spec));
    }

    /** The join runs once; what comes of it is kept as a table until both tensors are. */
    ValuesAndIndices<DistributedTensor> computed() {
        found.persist(StorageLevel.MEMORY_AND_DISK());
        try {
            return new ValuesAndIndices<>(kept(NearestVectors.DISTANCES), kept(NearestVectors.INDICES));
        } finally {
            found.unpersist();
        }
    }

    private DistributedTensor kept(String column) {
        return broadloom.fromDataFrame(found, column, NearestVectors.ROW).materialize();
    }

    String plan() {
        return ((org.apache.spark.sql.classic.Dataset<Row>) found)
                .queryExecution()
                .executedPlan()
                .treeString();
    }
}
