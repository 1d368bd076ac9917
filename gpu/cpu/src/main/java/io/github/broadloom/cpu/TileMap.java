package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.StoredArrays;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.BoxCopy.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * How a tile of one tensor, dense in an array, lies in the tensor's memory. Loops are joined where the tensor allows. What
 * repeats is read once and then repeated within the array, in blocks: no loop goes over three elements for each pixel.
 */
final class TileMap {
    /** Fewer repetitions of a single element are read as often, in the loop that is there anyway. */
    private static final int FEWEST_FILLED = 16;

    /** Fewer elements that lie together are better the outer loop than the inner. */
    private static final int SHORTEST_RUN = 8;

    /** One loop: its iterations, its step in the tensor and its step in the tile, in elements. */
    private record Axis(int size, long stride, int tileStep) {}

    /** Blocks of {@code length} elements that are repeated, one for each iteration of the loops around them. */
    private record Repeat(List<Axis> around, int length, int times) {}

    private final int elementBytes;
    private final List<Axis> axes;

    /** The tiles of that form, of the tensor with that number in the nest, over the loops from one to before {@code endLoop}. */
    TileMap(int elementBytes, LoopNest nest, int operand, Tiling.Form form, int firstLoop, int endLoop) {
        this.elementBytes = elementBytes;
        this.axes = new ArrayList<>();
        for (int loop = firstLoop; loop < endLoop; loop++) {
            int size = form.extents()[loop];
            if (size == 1) {
                continue;
            }
            long stride = nest.stride(operand, loop);
            int last = axes.size() - 1;
            boolean joins = last >= 0 && axes.get(last).stride() == stride * size;
            int joined = joins ? axes.remove(last).size() * size : size;
            axes.add(new Axis(joined, stride, form.elements(loop + 1, endLoop)));
        }
    }

    interface Reader {
        /** Reads the tile that begins at {@code address} into an array whose elements begin at {@code arrayAt}. */
        void read(long address, Object array, long arrayAt);
    }

    Reader reader() {
        List<Axis> read = new ArrayList<>();
        List<Repeat> repeats = new ArrayList<>();
        for (int i = axes.size() - 1; i >= 0; i--) {
            Axis axis = axes.get(i);
            boolean repeated = axis.stride() == 0 && (axis.tileStep() > 1 || axis.size() >= FEWEST_FILLED);
            if (repeated) {
                repeats.add(new Repeat(around(i), axis.tileStep(), axis.size()));
            } else {
                read.add(0, axis);
            }
        }
        List<Loop> loops = inOrderOfMemory(read).stream()
                .map(axis -> new Loop(axis.size(), axis.stride() * elementBytes, (long) axis.tileStep() * elementBytes))
                .toList();
        BoxCopy copy = new BoxCopy(elementBytes, loops);
        return (address, array, arrayAt) -> {
            copy.copy(null, address, array, arrayAt);
            for (int i = 0; i < repeats.size(); i++) {
                repeat(repeats.get(i), 0, array, 0);
            }
        };
    }

    /** Writes arrays to the tensor: from an array, and from where its elements begin in it, to an address. */
    BoxCopy writer() {
        List<Loop> loops = inOrderOfMemory(axes).stream()
                .map(axis -> new Loop(axis.size(), (long) axis.tileStep() * elementBytes, axis.stride() * elementBytes))
                .toList();
        return new BoxCopy(elementBytes, loops);
    }

    /** The loops around one, but for those whose iterations will be repeated later. */
    private List<Axis> around(int axis) {
        return axes.subList(0, axis).stream()
                .filter(outer -> outer.stride() != 0)
                .toList();
    }

    private static void repeat(Repeat repeat, int depth, Object array, int at) {
        if (depth == repeat.around().size()) {
            StoredArrays.repeat(array, at, repeat.length(), repeat.times());
            return;
        }
        Axis axis = repeat.around().get(depth);
        for (int i = 0; i < axis.size(); i++) {
            repeat(repeat, depth + 1, array, at + i * axis.tileStep());
        }
    }

    /** Innermost the loop whose elements lie together, in it the tile's innermost one: whole cache lines are used at once. */
    private static List<Axis> inOrderOfMemory(List<Axis> inTileOrder) {
        List<Axis> order = new ArrayList<>(inTileOrder);
        Axis nearest = null;
        for (Axis axis : order) {
            boolean nearer = nearest == null || axis.stride() <= nearest.stride();
            if (axis.stride() != 0 && axis.size() >= SHORTEST_RUN && nearer) {
                nearest = axis;
            }
        }
        if (nearest != null) {
            order.remove(nearest);
            order.add(nearest);
        }
        return order;
    }
}
