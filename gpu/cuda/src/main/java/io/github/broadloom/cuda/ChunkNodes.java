package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.PartialLaunches;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a chunk's reductions, as they come from a device.
 *
 * @param regions those of all reductions
 * @param numbers the memory of all, in this JVM; whoever has this releases it
 * @param firstRow how many rows of the whole tensor are before the chunk
 */
record ChunkNodes(List<Region> regions, Tensor numbers, long firstRow) {

    /** For each reduction of a chunk its nodes, in the order of the rows. */
    List<List<FoldNode>> read(List<Reduce> chunk) {
        Map<Reduce, List<FoldNode>> nodes = new IdentityHashMap<>();
        for (Region region : regions) {
            for (int k = 0; k < region.together().size(); k++) {
                nodes.put(region.together().get(k), region.nodes(k, numbers.address(), firstRow));
            }
        }
        return chunk.stream()
                .map(reduce -> nodes.getOrDefault(reduce, List.of()))
                .toList();
    }

    /**
     * The nodes of reductions that were computed together.
     *
     * @param offset in bytes, from the first of all nodes to those of these
     */
    record Region(List<Reduce> together, PartialLaunches launches, long offset) {

        /** How long it is. */
        long sizeBytes() {
            return launches.scratchBytes() - launches.nodesFrom();
        }

        /** The nodes of one of the reductions, in the order of the rows. */
        private List<FoldNode> nodes(int which, long address, long firstRow) {
            return new Numbers(together.get(which), firstRow).nodes(launches, which, address + offset);
        }
    }

    /** What the nodes of a reduction have. */
    private record Numbers(Reduce reduce, long firstRow) {

        List<FoldNode> nodes(PartialLaunches launches, int which, long address) {
            long first = address - launches.nodesFrom();
            boolean floating = reduce.operand().dtype().isFloatingPoint();
            return launches.nodes().stream()
                    .map(node -> {
                        long before = (long) launches.firstComponents().get(which) * kept() * Long.BYTES;
                        long at = first + node.offset() + before;
                        Object values = floating ? doubles(at) : longs(at);
                        return new FoldNode(node.level(), node.index(), values);
                    })
                    .sorted(Comparator.comparingLong(FoldNode::firstRow))
                    .toList();
        }

        private int kept() {
            return Math.toIntExact(reduce.shape().numel());
        }

        /** On the device the first components come before the second; here each accumulator's are side by side. */
        private double[] doubles(long address) {
            int kept = kept();
            int components = components();
            double[] values = new double[components * kept];
            RawMemory.copy(address, values, 0, kept);
            for (int i = kept - 1;
                    i >= 0 && components > 1;
                    i--) { // from the right, so that none is overwritten before it moved
                long second = address + (long) (kept + i) * Double.BYTES;
                values[2 * i] = values[i];
                values[2 * i + 1] = reduce.reduction().isPosition()
                        ? element(RawMemory.getLong(second), i)
                        : RawMemory.getDouble(second);
            }
            return values;
        }

        private long[] longs(long address) {
            int kept = kept();
            int components = components();
            long[] values = new long[components * kept];
            RawMemory.copy(address, values, 0, kept);
            for (int i = kept - 1; i >= 0 && components > 1; i--) {
                long second = address + (long) (kept + i) * Long.BYTES;
                values[2 * i] = values[i];
                values[2 * i + 1] = element(RawMemory.getLong(second), i);
            }
            return values;
        }

        private int components() {
            return reduce.reduction().join().components();
        }

        /**
         * The number of an element in the whole tensor, row-major, as accumulators here have it.
         *
         * @param place among the values of the chunk that become one result
         */
        private long element(long place, int result) {
            Shape shape = reduce.operand().shape();
            long rows = shape.rank() == 0 ? 1 : shape.size(0);
            long inRow = reduce.reducedCount() / rows;
            return (firstRow * inRow + place) * kept() + result; // either all dimensions are reduced or the first alone
        }
    }
}
