package io.github.broadloom.spark;

import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.MaskOps;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.storage.StorageLevel;

/** Every way in which operands come to tasks. */
final class FaultWays {
    private static final long WIDTH = FaultyOperands.COLUMNS / 8;

    private FaultWays() {}

    /** One strategy, or several at work in one expression. */
    record Way(String name, Function<FaultyOperands, DistributedTensor> tensor) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The file is read by the tasks that read the shuffle. */
    static final Way SHUFFLED = new Way(
            "shuffled, after the shuffle",
            given -> given.file()
                    .sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY())
                            .t()
                            .reshape(FaultyOperands.ROWS, FaultyOperands.COLUMNS)));

    /** Each task of the second stage has a part of every row. */
    static Stream<Way> rechunks() {
        return Stream.of(
                new Way("rechunked, before the shuffle", given -> given.rechunked(given.file(), -1, WIDTH)),
                new Way(
                        "rechunked, after the shuffle",
                        given -> given.rechunked(
                                        given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY()), -1, WIDTH)
                                .sub(given.file())));
    }

    /** By a broadcast variable, from where they lie, from blocks of other executors, from several places for each chunk, and through a shuffle. */
    static Stream<Way> oneOfEachTransport() {
        return Stream.of(
                new Way(
                        "replicated, or carried with the code",
                        given -> given.file().sub(given.row()).mul(given.column())),
                new Way(
                        "aligned, from the driver and from two files",
                        given -> given.file()
                                .sub(given.large(FaultyOperands.CHUNKS))
                                .mul(given.file().sqrt())),
                new Way(
                        "re-sliced, cached twice",
                        given -> given.file().sub(given.cached(7, StorageLevel.DISK_ONLY_2()))),
                new Way(
                        "grid",
                        given -> given.file()
                                .unsqueeze(1)
                                .sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .narrow(0, 5, 24)
                                        .unsqueeze(0))
                                .sum(2)),
                SHUFFLED);
    }

    static Stream<Way> others() {
        return Stream.of(
                new Way(
                        "replicated, cached",
                        given -> given.file().sub(given.kept(given.row().mul(2), DistributedTensor::cache))),
                new Way(
                        "aligned, cached",
                        given -> given.file().sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY()))),
                new Way(
                        "re-sliced, cached",
                        given -> given.file().sub(given.cached(7, StorageLevel.MEMORY_ONLY_SER()))),
                new Way(
                        "re-sliced, checkpoint",
                        given -> given.file().sub(given.kept(given.large(7).mul(2), DistributedTensor::checkpoint))),
                new Way(
                        "folded, then aligned",
                        given -> given.file().sub(given.file().mean(0))),
                new Way("folded by tasks, then aligned", given -> {
                    DistributedTensor file = given.file(given.broadloom().withDriverBytes(1 << 20));
                    return file.sub(file.mean(0));
                }),
                new Way(
                        "re-sliced, turned round",
                        given -> given.file()
                                .sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .flip(0))),
                new Way("streamed, two outputs together", given -> {
                    DistributedTensor products = given.file()
                            .unsqueeze(1)
                            .sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY())
                                    .unsqueeze(0))
                            .sum(2);
                    return products.amin(1).add(products.argmin(1));
                }),
                new Way(
                        "kept until the action is over",
                        given -> given.file()
                                .cumsum(0)
                                .unsqueeze(1)
                                .sub(given.cached(FaultyOperands.CHUNKS, StorageLevel.MEMORY_ONLY())
                                        .narrow(0, 5, 24)
                                        .unsqueeze(0))
                                .sum(2)),
                new Way(
                        "shuffled, before the shuffle",
                        given -> given.file().t().mul(2)),
                new Way(
                        "asked for by indices",
                        given -> given.file()
                                .indexSelect(
                                        0, given.file().select(1, 3).sort(0).indices())
                                .sub(given.file())),
                new Way(
                        "sorted range by range",
                        given -> given.file().flatten().sort(0).values()),
                new Way("picked by a mask", given -> picked(given.file())),
                new Way("scanned, then aligned", given -> given.file().cumsum(0).sub(given.row())),
                new Way("whole", given -> given.file().median(KeepDim.DROP, 0).values()));
    }

    private static DistributedTensor picked(DistributedTensor x) {
        return x.withExpr(MaskOps.rows(x.expr(), x.gt(x.mean()).expr(), x::values));
    }
}
