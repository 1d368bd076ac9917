package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.storage.StorageLevel;

/** What the operands of a strategy are made of, one of which is a file whose reader meets the fault. */
final class FaultyOperands {
    static final int CHUNKS = 12;
    static final long ROWS = 8 * CHUNKS;
    static final long COLUMNS = 20_000;
    private static final long CHUNK_BYTES = ROWS / CHUNKS * COLUMNS * 4;
    /** What a row travels in several of. */
    private static final long PIECE_BYTES = COLUMNS;

    private final Locally locally = new Locally();
    private final Cluster cluster;
    private final Path file;
    private final List<DistributedTensor> kept = new ArrayList<>();

    /** @param file of {@link #numbers()} */
    FaultyOperands(Cluster cluster, Path file) {
        this.cluster = cluster;
        this.file = file;
    }

    /** All different, and nothing that rounds alike: sums of other rows, or in another order, have other bits. */
    static Tensor numbers() {
        return Tensors.arange(ROWS * COLUMNS).to(DType.FLOAT32).view(ROWS, COLUMNS);
    }

    Broadloom broadloom() {
        return cluster.broadloom()
                .withChunkBytes(CHUNK_BYTES)
                .withReplicateBytes(CHUNK_BYTES)
                .withPieceBytes(PIECE_BYTES);
    }

    /** A file in {@link #CHUNKS} chunks; the task that reads its middle meets the fault. */
    DistributedTensor file() {
        return file(broadloom());
    }

    DistributedTensor file(Broadloom broadloom) {
        try {
            return broadloom.readNpy(Faults.path(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As large as the file, in the driver's memory. */
    DistributedTensor large(int chunks) {
        return broadloom().tensor(numbers().flip(0), chunks);
    }

    /** Too large to travel with the code. */
    DistributedTensor row() {
        return broadloom().tensor(numbers().select(0, 7));
    }

    DistributedTensor column() {
        return broadloom().tensor(numbers().narrow(1, 7, 1));
    }

    DistributedTensor kept(DistributedTensor tensor, UnaryOperator<DistributedTensor> keep) {
        kept.add(locally.kept(tensor, keep));
        return tensor;
    }

    DistributedTensor cached(int chunks, StorageLevel level) {
        DistributedTensor cached = kept(large(chunks).mul(2), tensor -> tensor.cache(level));
        cached.sum().collect();
        return cached;
    }

    /** In other chunks, which nobody keeps. */
    DistributedTensor rechunked(DistributedTensor tensor, long... chunk) {
        return locally.kept(tensor, x -> x.rechunk(chunk));
    }

    Tensor expected(DistributedTensor tensor) {
        return Bits.local(locally.of(tensor));
    }

    void unpersist() {
        kept.forEach(DistributedTensor::unpersist);
    }
}
