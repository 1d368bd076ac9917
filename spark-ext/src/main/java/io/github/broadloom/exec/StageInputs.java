package io.github.broadloom.exec;

import io.github.broadloom.plan.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.Dependency;
import org.apache.spark.broadcast.Broadcast;

/** The feeds of one stage, with the RDDs and broadcast variables behind them, and its kernels. */
final class StageInputs {
    private final List<Feed> feeds = new ArrayList<>();
    private final List<Dependency<?>> dependencies = new ArrayList<>();
    private final List<List<Broadcast<Block>>> pieces = new ArrayList<>();
    private final List<BlockReader> readers = new ArrayList<>();
    private final KernelParcel kernels;

    /** @param kernels that travel with the stage */
    StageInputs(KernelParcel kernels) {
        this.kernels = kernels;
    }

    void add(Feed feed) {
        feeds.add(feed);
    }

    /** Adds a feed from files; those that several operands read are one reader. */
    void addStored(BlockReader reader, Access access) {
        int index = 0;
        while (index < readers.size() && readers.get(index) != reader) {
            index++;
        }
        if (index == readers.size()) {
            readers.add(reader);
        }
        feeds.add(new Feed.Stored(index, access));
    }

    /** Adds a feed of the next parent. */
    void addParent(Dependency<?> dependency, IntFunction<Feed> feed) {
        feeds.add(feed.apply(dependencies.size()));
        dependencies.add(dependency);
    }

    void addPieces(List<Broadcast<Block>> chunks, Access access) {
        feeds.add(new Feed.Piece(pieces.size(), access));
        pieces.add(chunks);
    }

    Feed[] feeds() {
        return feeds.toArray(Feed[]::new);
    }

    List<List<Broadcast<Block>>> pieces() {
        return pieces;
    }

    List<BlockReader> readers() {
        return readers;
    }

    KernelParcel kernels() {
        return kernels;
    }

    List<Dependency<?>> dependencies() {
        return dependencies;
    }
}
