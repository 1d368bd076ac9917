package io.github.broadloom.exec.write;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.metrics.MeteredFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/** Writes the chunk where the sink wants it. */
public final class WriteTask extends MeteredFunction<Block, Part> {
    private static final long serialVersionUID = 1L;
    private final ChunkWriter writer;
    private final Fate fate;

    public WriteTask(ChunkWriter writer, Fate fate) {
        this.writer = writer;
        this.fate = fate;
    }

    @Override
    protected Part run(TaskContext context, Iterator<Block> blocks) {
        Block block = fate.take(blocks);
        try {
            Part part = writer.write(block.tensor(), context.partitionId(), block.firstRow(), context.taskAttemptId());
            context.taskMetrics().outputMetrics().setBytesWritten(BlockCodec.payloadBytes(block.tensor()));
            return part;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            fate.end(block);
        }
    }
}
