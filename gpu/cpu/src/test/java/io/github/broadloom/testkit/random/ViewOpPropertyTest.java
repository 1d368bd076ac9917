package io.github.broadloom.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomExprs.Proposal;
import io.github.broadloom.testkit.random.RandomViewOps.RandomMove;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Random graphs of operations, rearrangements and joins: as one expression, they give the bits that one operation after the
 * other gives, from tensor to tensor, where a rearrangement is a tensor's own view or copy.
 */
class ViewOpPropertyTest {
    private static final int STEPS = 14;

    static LongStream seeds() {
        return Property.seeds(400);
    }

    /** The nodes made so far, and the value of each. */
    private static final class Graph {
        final RandomTensors from;
        final RandomExprs exprs;
        final List<Expr> nodes;
        final Map<Expr, Tensor> values = new IdentityHashMap<>();
        final StringBuilder story = new StringBuilder();

        Graph(long seed) {
            this.from = new RandomTensors(seed);
            this.exprs = new RandomExprs(seed);
            this.nodes = new ArrayList<>(exprs.inputs());
            for (Expr node : nodes) {
                values.put(node, (Tensor) ((Input) node).source());
            }
        }

        Expr pick() {
            return nodes.get(from.below(3) == 0 ? from.below(nodes.size()) : nodes.size() - 1);
        }

        void add(String what, Expr node, Tensor value) {
            story.append("  ")
                    .append(what)
                    .append(" -> ")
                    .append(node.dtype())
                    .append(node.shape())
                    .append('\n');
            nodes.add(node);
            values.put(node, value);
        }

        /** The same over the values of the nodes. */
        Expr overValues(Expr node) {
            Tensor value = values.get(node);
            if (value != null) {
                return Input.of(value);
            }
            return node.children().isEmpty()
                    ? node
                    : node.withChildren(
                            node.children().stream().map(this::overValues).toList());
        }
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void aRearrangedExpressionHasTheElementsOfItsRearrangedValue(long seed) {
        Graph graph = new Graph(seed);
        for (int step = 0; step < STEPS; step++) {
            switch (graph.from.below(6)) {
                case 0, 1 -> operate(graph);
                case 2 -> join(graph);
                default -> move(graph);
            }
        }
        for (Expr node : graph.nodes.subList(Math.max(0, graph.nodes.size() - 4), graph.nodes.size())) {
            Tensor expected = graph.values.get(node);
            Tensor got = evaluate(node);
            String title = "seed " + seed + "\n" + graph.story + "for " + node.dtype() + node.shape();
            assertThat(got.dtype()).as(title).isEqualTo(expected.dtype());
            assertThat(got.shape()).as(title).isEqualTo(expected.shape());
            assertThat(got.isContiguous()).as(title).isTrue();
            assertThat(got.values()).as(title).isEqualTo(expected.values());
        }
    }

    private static Tensor evaluate(Expr expr) {
        return Devices.backend(Device.CPU).evaluate(expr);
    }

    private static void move(Graph graph) {
        Expr node = graph.pick();
        RandomMove move = new RandomViewOps(graph.from).next(node.shape());
        Tensor value = move.ofTensor().apply(graph.values.get(node));
        graph.add(move.text(), move.ofExpr().apply(node), value);
    }

    private static void operate(Graph graph) {
        Proposal proposal = graph.exprs.propose(graph.nodes);
        Optional<Expr> built = attempt(proposal::build);
        if (built.isPresent() && !(built.get() instanceof Literal)) {
            Expr alone = proposal.builder()
                    .apply(proposal.args().stream().map(graph::overValues).toList());
            graph.add("operation " + alone, built.get(), evaluate(alone));
        }
    }

    private static Optional<Expr> attempt(Supplier<Expr> builder) {
        try {
            return Optional.of(builder.get());
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException refused) {
            return Optional.empty();
        }
    }

    /** A node beside one of its own shape, at least along the other dimensions. */
    private static void join(Graph graph) {
        Expr first = graph.pick();
        if (first.shape().rank() == 0) {
            return;
        }
        int dim = graph.from.below(first.shape().rank());
        List<Expr> parts = new ArrayList<>(List.of(first));
        for (Expr other : graph.nodes) {
            if (parts.size() < 4 && fits(other.shape(), first.shape(), dim)) {
                parts.add(other);
            }
        }
        Expr joined = Expr.concat(parts, dim);
        Tensor value = Tensors.empty(joined.dtype(), joined.shape());
        long start = 0;
        for (Expr part : parts) {
            long length = part.shape().size(dim);
            value.narrow(dim, start, length).copy_(graph.values.get(part));
            start += length;
        }
        assertThat(joined).isInstanceOf(Concat.class);
        graph.add("cat of " + parts.size() + " along " + dim, joined, value);
    }

    private static boolean fits(Shape shape, Shape model, int dim) {
        return shape.rank() == model.rank()
                && shape.with(dim, 1).equals(model.with(dim, 1))
                && shape.numel() + model.numel() < 10_000;
    }
}
