package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches that compute a pointwise program over a chunk of rows and fold its values as far as the chunk goes: to the nodes of the
 * pairwise tree over all rows that lie within it. They have the bits of the CPU's.
 *
 * <p>What is reduced inside of a row is folded first, as for {@link ReductionLaunches}. The rows are cut into {@linkplain AlignedBlocks nodes}
 * of some level and smaller ones at the ends, all in one launch; what is left of that level the next launch joins.
 *
 * <p>A node's numbers are {@code double}s where the reduced values are floating, else {@code long long}s: an array of one for each kept
 * element, row-major, for each component of the accumulators. A position is that among the values that become one result, counted in the
 * chunk, and a {@code long long} always.
 *
 * @param plan the launches
 * @param nodesFrom where in scratch memory the first node lies; there is nothing but nodes and gaps from there on
 * @param nodes what is there when the launches are done; none of a chunk without elements
 * @param firstComponents for each reduction, which of the arrays of a node is the first of its accumulators
 */
public record PartialLaunches(LaunchPlan plan, long nodesFrom, List<Node> nodes, List<Integer> firstComponents) {
    /**
     * A node.
     *
     * @param level 2^level rows are in it
     * @param index of the whole tensor's nodes of that level
     * @param offset of its numbers in scratch memory
     */
    public record Node(int level, long index, long offset) {}

    public PartialLaunches {
        nodes = List.copyOf(nodes);
        firstComponents = List.copyOf(firstComponents);
    }

    /** Reductions over chunks of rows of one operand, those together that one call of {@link #of} takes. */
    public static List<List<Reduce>> together(List<Reduce> chunk) {
        return FoldType.together(chunk);
    }

    /**
     * The launches for a chunk.
     *
     * @param reductions of the chunk, over dimension 0 at least, or over a scalar: of what goes {@link #together}
     * @param firstRow how many rows of the whole tensor are before the chunk
     * @see ReductionLaunches#of for the others
     */
    public static PartialLaunches of(
            KernelSpec spec, List<Reduce> reductions, long firstRow, List<Layout> operands, int[] alignments) {
        if (reductions.get(0).operand().shape().numel() == 0) {
            return new PartialLaunches(LaunchPlan.NOTHING, 0, List.of(), List.of());
        }
        FoldLaunches found = new FoldLaunches(spec, reductions, operands, alignments);
        List<FoldOrder.Fold> folds = FoldOrder.ofRows(found.type);
        int last = folds.size() - 1;
        folds.subList(0, last).forEach(found::fold);
        return nodes(found, folds.get(last), firstRow);
    }

    private static PartialLaunches nodes(FoldLaunches found, FoldOrder.Fold fold, long firstRow) {
        FoldSource source = found.source(fold);
        List<Reduce> reductions = found.type.reductions();
        Shape operand = reductions.get(0).operand().shape();
        long rows = operand.rank() == 0 ? 1 : operand.size(0);
        long inRow = source.length() / rows;
        boolean oneTree = Long.bitCount(inRow) == 1; // of all values of all rows
        int rowLevel = oneTree ? Long.numberOfTrailingZeros(inRow) : 0;
        BlockStage stage = BlockStage.of(source, found.type, fold.leaf(), firstRow << rowLevel, oneTree ? 1 : inRow, 0);
        List<Node> nodes = new ArrayList<>();
        while (true) {
            long offset = found.launch(stage);
            AlignedBlocks blocks = stage.blocks();
            boolean last = blocks.whole() <= 1;
            long at = last ? 0 : blocks.whole();
            for (AlignedBlocks.Node node : blocks.nodes(at)) {
                int level = node.level() + stage.shift() - rowLevel;
                nodes.add(new Node(level, node.index(), offset + at * stage.nodeNumbers() * Long.BYTES));
                at++;
            }
            if (last) {
                long from = nodes.stream().mapToLong(Node::offset).min().orElseThrow();
                List<Integer> first =
                        reductions.stream().map(found.type::firstComponent).toList();
                return new PartialLaunches(found.plan(), from, nodes, first);
            }
            stage = BlockStage.of(
                    found.wholeNodes(stage, offset),
                    found.type,
                    Leaf.VALUE,
                    blocks.firstWhole(),
                    1,
                    stage.shift() + blocks.level());
        }
    }
}
