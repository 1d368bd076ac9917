package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.read.BlockReader;
import io.github.broadloom.plan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.Dependency;
import org.apache.spark.broadcast.Broadcast;

/** The exchanges of one stage, with the RDDs and broadcast variables behind them, and its kernels. */
public final class StageInputs {
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Dependency<?>> dependencies = new ArrayList<>();
    private final List<List<Broadcast<Block>>> pieces = new ArrayList<>();
    private final List<BlockReader> readers = new ArrayList<>();
    private final BroadcastKernels kernels;

    /** @param kernels that travel with the stage */
    public StageInputs(BroadcastKernels kernels) {
        this.kernels = kernels;
    }

    void add(Exchange exchange) {
        exchanges.add(exchange);
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

    /** Adds an exchange of the next parent. */
    void addParent(Dependency<?> dependency, IntFunction<Exchange> exchange) {
        exchanges.add(exchange.apply(dependencies.size()));
        dependencies.add(dependency);
    }

    void addPieces(List<Broadcast<Block>> chunks, Access access) {
        exchanges.add(new Exchange.ChunkBroadcast(pieces.size(), access));
        pieces.add(chunks);
    }

    public Exchange[] exchanges() {
        return exchanges.toArray(Exchange[]::new);
    }

    public List<List<Broadcast<Block>>> pieces() {
        return pieces;
    }

    public List<BlockReader> readers() {
        return readers;
    }

    public BroadcastKernels kernels() {
        return kernels;
    }

    public List<Dependency<?>> dependencies() {
        return dependencies;
    }
}
