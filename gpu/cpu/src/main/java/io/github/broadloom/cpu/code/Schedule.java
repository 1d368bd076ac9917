package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.Node.Form;
import io.github.broadloom.kernels.KernelSpec.Access;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The order of a kernel's work: loops over everything that operators compute, and between them the calls. What one stage leaves
 * for another waits in a tile. A loop comes as early as its arguments allow; a long one is cut. Values that a row repeats or
 * that are constant belong to no loop: each computes those that it uses, but what a call has computed.
 */
final class Schedule {
    /** A loop longer than this is cut. */
    static final int STEPS_PER_LOOP = 64;

    private static final int CHARACTERS_PER_LOOP = 6000;

    /**
     * Values in a tile.
     *
     * @param extent of the tile; where it is more than the node's, the value is repeated
     */
    record Tile(int node, Access extent) {}

    /** A part of the work. */
    static final class Stage {
        /** The call, or -1 for a loop. */
        final int call;

        final Access extent;
        /** What this loop alone computes. */
        final SortedSet<Integer> own = new TreeSet<>();
        /** What it needs and computes, or reads from tiles and operands, arguments first. */
        final SortedSet<Integer> used = new TreeSet<>();

        final List<Tile> stores = new ArrayList<>();
        final List<Tile> reads = new ArrayList<>();

        private Stage(int call, Access extent) {
            this.call = call;
            this.extent = extent;
        }

        boolean isCall() {
            return call >= 0;
        }
    }

    private final KernelPlan plan;
    private final int[] levels;
    private final boolean[] useful;
    private final List<Stage> stages = new ArrayList<>();
    private final Map<Integer, Stage> loopOf = new HashMap<>();

    Schedule(KernelPlan plan) {
        this.plan = plan;
        this.levels = new int[plan.nodes().size()];
        this.useful = new boolean[levels.length];
        findUseful(plan.result());
        for (Node node : plan.nodes()) {
            levels[node.id()] = node.args().stream()
                    .mapToInt(arg -> availableTo(node, plan.node(arg)))
                    .max()
                    .orElse(0);
        }
        for (int level = 0; level <= levels[plan.result().id()]; level++) {
            layOut(level);
        }
        if (!loopOf.containsKey(plan.result().id()) && !plan.isWrittenByCall(plan.result())) {
            stages.add(new Stage(-1, Access.VARYING));
        }
        stages.stream().filter(stage -> !stage.isCall()).forEach(this::findUsed);
    }

    List<Stage> stages() {
        return stages;
    }

    /** Whether a call reads an argument straight from an operand, without a tile of its own. */
    static boolean isDirect(Node argument, Access extent) {
        boolean same = argument.dtype().primitive().javaName().equals(Node.elementType(argument.dtype()));
        boolean element = argument.is(Form.ELEMENT) && same && argument.extent() == extent;
        return argument.is(Form.STORED) || element;
    }

    private void findUseful(Node root) {
        Deque<Node> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            Node node = left.pop();
            if (!useful[node.id()]) {
                useful[node.id()] = true;
                node.args().forEach(arg -> left.push(plan.node(arg)));
            }
        }
    }

    /** The first level at which a user can have a value: the loops of a level come before its calls. */
    private int availableTo(Node user, Node arg) {
        boolean afterwards = arg.is(Form.CALL) && !(user.is(Form.CALL) && user.extent() == arg.extent());
        return levels[arg.id()] + (afterwards ? 1 : 0);
    }

    private void layOut(int level) {
        List<Stage> loops = new ArrayList<>();
        List<Stage> calls = new ArrayList<>();
        int characters = 0;
        for (Node node : plan.nodes()) {
            if (!useful[node.id()] || levels[node.id()] != level) {
                continue;
            }
            if (node.is(Form.CALL)) {
                calls.add(new Stage(node.id(), node.extent()));
            } else if (node.is(Form.PLAIN) && node.isVarying()) {
                int length = node.text()
                        .of(Collections.nCopies(node.args().size(), "v00"))
                        .length();
                characters += length;
                boolean full = loops.isEmpty()
                        || loops.get(loops.size() - 1).own.size() == STEPS_PER_LOOP
                        || characters > CHARACTERS_PER_LOOP;
                if (full) {
                    loops.add(new Stage(-1, Access.VARYING));
                    characters = length;
                }
                Stage loop = loops.get(loops.size() - 1);
                loop.own.add(node.id());
                loopOf.put(node.id(), loop);
            }
        }
        for (Stage call : calls) {
            for (int arg : plan.node(call.call).args()) {
                fill(call, plan.node(arg), loops);
            }
        }
        stages.addAll(loops);
        stages.addAll(calls);
    }

    /** Sees to it that an argument of a call waits in a tile of the call's extent. */
    private void fill(Stage call, Node arg, List<Stage> loops) {
        if (arg.isNumber() || isDirect(arg, call.extent)) {
            return;
        }
        Tile tile = new Tile(arg.id(), call.extent);
        call.reads.add(tile);
        if (arg.is(Form.CALL) && arg.extent() == call.extent) {
            return;
        }
        boolean filled = Stream.concat(stages.stream(), loops.stream()).anyMatch(stage -> stage.stores.contains(tile));
        if (filled) {
            return;
        }
        Stage loop = loopOf.get(arg.id());
        for (Stage other : loops) {
            loop = loop == null && other.extent == call.extent ? other : loop;
        }
        if (loop == null) {
            loop = new Stage(-1, call.extent);
            loops.add(loop);
        }
        loop.stores.add(tile);
    }

    /** From what a loop has to do, what it needs for that. */
    private void findUsed(Stage loop) {
        Deque<Node> left = new ArrayDeque<>();
        loop.own.forEach(id -> left.push(plan.node(id)));
        loop.stores.forEach(tile -> left.push(plan.node(tile.node())));
        boolean last = loop == stages.get(stages.size() - 1);
        if (last) {
            left.push(plan.result());
        }
        while (!left.isEmpty()) {
            Node node = left.pop();
            if (node.isNumber() || !loop.used.add(node.id())) {
                continue;
            }
            boolean elsewhere = node.is(Form.PLAIN) && node.isVarying() && !loop.own.contains(node.id());
            if (node.is(Form.CALL) || elsewhere) {
                loop.reads.add(new Tile(node.id(), node.extent()));
            } else {
                node.args().forEach(arg -> left.push(plan.node(arg)));
            }
            if (elsewhere) {
                Tile tile = new Tile(node.id(), Access.VARYING);
                List<Tile> stores = Objects.requireNonNull(loopOf.get(node.id())).stores;
                if (!stores.contains(tile)) {
                    stores.add(tile);
                }
            }
        }
    }
}
