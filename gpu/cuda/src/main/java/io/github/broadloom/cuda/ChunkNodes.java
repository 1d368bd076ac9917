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
    /** The nodes of reductions that were computed together; the offset in bytes is that from the first of all nodes. */
    record Region(List<Reduce> together, PartialLaunches launches, long offset) {
        long sizeBytes() {
            return launches.plan().scratchBytes() - launches.nodesFrom();
        }
    }

    List<List<FoldNode>> read(List<Reduce> chunk) {
        Map<Reduce, List<FoldNode>> nodes = new IdentityHashMap<>();
        for (Region region : regions) {
            for (int k = 0; k < region.together.size(); k++) {
                nodes.put(region.together.get(k), nodes(region, k));
            }
        }
        return chunk.stream()
                .map(reduce -> nodes.getOrDefault(reduce, List.of()))
                .toList();
    }

    private List<FoldNode> nodes(Region region, int which) {
        PartialLaunches launches = region.launches;
        Reduce reduce = region.together.get(which);
        long first = numbers.address() + region.offset - launches.nodesFrom();
        boolean floating = reduce.operand().dtype().isFloatingPoint();
        return launches.nodes().stream()
                .map(node -> {
                    long component = (long) launches.firstComponents().get(which) * kept(reduce) * Long.BYTES;
                    long at = first + node.offset() + component;
                    Object values = floating ? doubles(reduce, at) : longs(reduce, at);
                    return new FoldNode(node.level(), node.index(), values);
                })
                .sorted(Comparator.comparingLong(FoldNode::first))
                .toList();
    }

    private static int kept(Reduce reduce) {
        return Math.toIntExact(reduce.shape().numel());
    }

    /** On the device the first components come before the second; here each accumulator's are side by side. */
    private double[] doubles(Reduce reduce, long address) {
        int kept = kept(reduce);
        int components = reduce.reduction().join().components();
        double[] values = new double[components * kept];
        RawMemory.copy(address, values, 0, kept);
        for (int i = kept - 1; i >= 0 && components > 1; i--) { // from the right, so that none is overwritten unmoved
            long second = address + (long) (kept + i) * Double.BYTES;
            values[2 * i] = values[i];
            values[2 * i + 1] =
                    reduce.reduction().isPosition() ? element(reduce, second, i) : RawMemory.getDouble(second);
        }
        return values;
    }

    private long[] longs(Reduce reduce, long address) {
        int kept = kept(reduce);
        int components = reduce.reduction().join().components();
        long[] values = new long[components * kept];
        RawMemory.copy(address, values, 0, kept);
        for (int i = kept - 1; i >= 0 && components > 1; i--) {
            values[2 * i] = values[i];
            values[2 * i + 1] = element(reduce, address + (long) (kept + i) * Long.BYTES, i);
        }
        return values;
    }

    /** The number of an element in the whole tensor, row-major; at the address is its place among the values of the chunk that become one result. */
    private long element(Reduce reduce, long address, int result) {
        Shape shape = reduce.operand().shape();
        long rows = shape.rank() == 0 ? 1 : shape.size(0);
        long inRow = reduce.reducedCount() / rows;
        long place = RawMemory.getLong(address);
        return (firstRow * inRow + place) * kept(reduce)
                + result; // either all dimensions are reduced or the first alone
    }
}
