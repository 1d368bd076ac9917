package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.Dependency;
import org.apache.spark.broadcast.Broadcast;

/**
 * The exchanges of one stage, with the RDDs and broadcast variables behind them, and its kernels.
 *
 * @param pieces of the operands that are broadcast in chunks, those of each chunk
 */
public record StageInputs(
        List<Exchange> exchanges,
        List<Dependency<?>> dependencies,
        List<List<Broadcast<Block>>> pieces,
        List<BlockReader> readers,
        BroadcastKernels kernels) {
    /** None yet. */
    public StageInputs(BroadcastKernels kernels) {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), kernels);
    }

    /** Adds an exchange from files; those that several operands read are one reader. */
    public void addStored(BlockReader reader, Access access) {
        int index = 0;
        while (index < readers.size() && readers.get(index) != reader) {
            index++;
        }
        if (index == readers.size()) {
            readers.add(reader);
        }
        exchanges.add(new Exchange.FromFiles(index, access));
    }

    void addParent(Dependency<?> dependency, IntFunction<Exchange> exchange) {
        exchanges.add(exchange.apply(dependencies.size()));
        dependencies.add(dependency);
    }

    void addPieces(List<Broadcast<Block>> chunks, Access access) {
        exchanges.add(new Exchange.ChunkBroadcast(pieces.size(), access));
        pieces.add(chunks);
    }
}
