package io.github.broadloom.exec;

import io.github.broadloom.plan.RowGrid;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;

/** The feeds of one stage, with the RDDs and broadcast variables behind them. */
final class StageInputs {
    private final List<Feed> feeds = new ArrayList<>();
    private final List<RDD<Block>> parents = new ArrayList<>();
    private final List<RowGrid> parentGrids = new ArrayList<>();
    private final List<List<Broadcast<Block>>> pieces = new ArrayList<>();

    void add(Feed feed) {
        feeds.add(feed);
    }

    void addParent(RDD<Block> parent, RowGrid grid) {
        feeds.add(new Feed.Parent(parents.size(), grid));
        parents.add(parent);
        parentGrids.add(grid);
    }

    void addPieces(List<Broadcast<Block>> chunks) {
        feeds.add(new Feed.Piece(pieces.size()));
        pieces.add(chunks);
    }

    Feed[] feeds() {
        return feeds.toArray(Feed[]::new);
    }

    List<List<Broadcast<Block>>> pieces() {
        return pieces;
    }

    List<Dependency<?>> dependencies(RowGrid grid) {
        List<Dependency<?>> dependencies = new ArrayList<>();
        for (int i = 0; i < parents.size(); i++) {
            dependencies.add(new RowsDependency(parents.get(i), grid, parentGrids.get(i)));
        }
        return dependencies;
    }
}
