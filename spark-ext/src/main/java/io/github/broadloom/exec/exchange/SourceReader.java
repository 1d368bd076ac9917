package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.cache.StoredRDD;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.ReadSource;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.StageOutput;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;

/**
 * Brings what a run needs of its sources to the driver.
 *
 * @param results of the stages so far, as they come
 * @param chunksOf a source that lies on the cluster; of one in files, as tasks make them
 */
public record SourceReader(JobRunner jobs, List<List<Tensor>> results, Function<Source, RDD<Block>> chunksOf) {

    RDD<Block> chunks(Source source) {
        return chunksOf.apply(source);
    }

    /** A box of a source: a view of what the driver has, else in memory of its own. */
    public Tensor read(Source source, Box box) {
        if (source instanceof LocalSource local) {
            return box.of(local.unchanged());
        }
        if (source instanceof StageOutput.Value result) {
            return box.of(results.get(result.stage()).get(result.output()));
        }
        if (source instanceof ReadSource file) {
            return read(file, box);
        }
        return gather(chunks(source), source.dtype(), box, Objects.requireNonNull(source.grid()));
    }

    /**
     * A box of a source in files or on the cluster, block by block and in no order: who takes a block releases it.
     *
     * @param blockBytes about the size of a block, where files may be cut anywhere
     */
    void readBlocks(Source source, Box box, long blockBytes, BiConsumer<Box, Tensor> each) {
        if (source instanceof ReadSource file) {
            for (Box part : parts(file, box, blockBytes)) {
                each.accept(part, read(file, part));
            }
            return;
        }
        ChunkGrid grid = Objects.requireNonNull(source.grid());
        collect(chunks(source), source.dtype(), box, grid, (part, bytes) -> {
            Tensor block = Tensors.empty(source.dtype(), part.shape());
            bytes.copyTo(block);
            each.accept(part, block);
        });
    }

    private static List<Box> parts(ReadSource file, Box box, long blockBytes) {
        ChunkGrid own = file.grid();
        if (own != null) {
            return own.overlapping(box).stream()
                    .map(chunk -> own.box(chunk).intersection(box))
                    .toList();
        }
        ChunkGrid cuts = BroadcastTensor.cuts(file.dtype(), box.shape(), blockBytes);
        return IntStream.range(0, cuts.chunks())
                .mapToObj(chunk -> shifted(cuts.box(chunk), box))
                .toList();
    }

    private static Box shifted(Box box, Box origin) {
        long[] starts = box.starts();
        Arrays.setAll(starts, d -> starts[d] + origin.start(d));
        return Box.at(starts, box.shape());
    }

    private static Tensor read(ReadSource file, Box box) {
        try {
            return file.reader().read(box);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** A box of what lies in chunks: each is copied to its place as it arrives. */
    public Tensor gather(RDD<Block> rdd, DType dtype, Box box, ChunkGrid grid) {
        Tensor gathered = Tensors.empty(dtype, box.shape());
        collect(rdd, dtype, box, grid, (part, bytes) -> bytes.copyTo(part.of(gathered, box)));
        return gathered;
    }

    private static ChunkBytes collected(Block block, Fate fate, Box box) {
        try {
            return collected(box.intersection(block.box()).of(block.tensor(), block.box()));
        } finally {
            fate.end(block);
        }
    }

    /** In a task: elements that go to the driver. */
    public static ChunkBytes collected(Tensor elements) {
        ChunkBytes bytes = ChunkBytes.of(elements);
        MemoryMeter.array(bytes.sizeBytes());
        return bytes;
    }

    private void collect(RDD<Block> rdd, DType dtype, Box box, ChunkGrid grid, BiConsumer<Box, ChunkBytes> each) {
        Fate fate = Fate.of(rdd);
        jobs.run(
                StoredRDD.of(rdd),
                grid.overlapping(box),
                (task, blocks) -> collected(fate.take(blocks), fate, box),
                (chunk, bytes) -> each.accept(grid.box(chunk).intersection(box), bytes),
                chunk -> grid.box(chunk).intersection(box).shape().numel() * dtype.bytes());
    }
}
