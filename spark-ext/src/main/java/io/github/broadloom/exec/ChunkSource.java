package io.github.broadloom.exec;

import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Source;
import org.apache.spark.rdd.RDD;

/** A source that lies in chunks on the cluster. */
interface ChunkSource extends Source {
    /** Its chunks, one in each partition, in order. */
    RDD<Block> chunks(Runner runner);

    /** The same chunks under another name. */
    ChunkSource named(String other);

    @Override
    ChunkGrid grid();

    @Override
    default Residence residence() {
        return Residence.CLUSTER;
    }
}
