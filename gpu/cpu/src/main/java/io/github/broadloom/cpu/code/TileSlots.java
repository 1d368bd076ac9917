package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.Schedule.Stage;
import io.github.broadloom.cpu.code.Schedule.Tile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which arrays hold the tiles between the stages: few, so that they stay in the first-level cache. */
final class TileSlots {
    private final KernelPlan plan;
    private final Map<Tile, String> names = new HashMap<>();
    private final List<String> types = new ArrayList<>();
    private final Map<String, Deque<String>> free = new HashMap<>();

    TileSlots(KernelPlan plan, List<Stage> stages) {
        this.plan = plan;
        Map<Tile, Integer> lastUse = new HashMap<>();
        for (int i = 0; i < stages.size(); i++) {
            for (Tile tile : stages.get(i).reads) {
                lastUse.put(tile, i);
            }
        }
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            Integer now = i;
            List<Tile> done = stage.reads.stream()
                    .distinct()
                    .filter(tile -> now.equals(lastUse.get(tile)))
                    .toList();
            if (stage.isCall()) { // which may write over what it reads
                done.forEach(this::release);
                Node node = plan.node(stage.call);
                if (!plan.isWrittenByCall(node)) {
                    take(new Tile(node.id(), node.extent()));
                }
            } else {
                stage.stores.forEach(this::take);
                done.forEach(this::release);
            }
        }
    }

    /** The element types of the arrays {@code t0}, {@code t1} and so on. */
    List<String> types() {
        return types;
    }

    String name(Tile tile) {
        return Objects.requireNonNull(names.get(tile));
    }

    String type(Tile tile) {
        return Node.elementType(plan.node(tile.node()).dtype());
    }

    private Deque<String> free(Tile tile) {
        return free.computeIfAbsent(type(tile), type -> new ArrayDeque<>());
    }

    private void take(Tile tile) {
        String name = free(tile).poll();
        if (name == null) {
            name = "t" + types.size();
            types.add(type(tile));
        }
        names.put(tile, name);
    }

    private void release(Tile tile) {
        free(tile).push(name(tile));
    }
}
