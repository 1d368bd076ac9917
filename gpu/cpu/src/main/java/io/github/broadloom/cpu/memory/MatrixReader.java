package io.github.broadloom.cpu.memory;

import io.github.broadloom.cpu.memory.BoxCopy.Loop;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads boxes of a tensor of rank 3, matrices of rows of columns, into arrays that hold them row-major. */
public final class MatrixReader {
    private final Tensor tensor;

    public MatrixReader(Tensor tensor) {
        this.tensor = tensor;
    }

    /** Where a box begins, or what its sizes are. */
    public record Box(long matrix, long row, long column) {
        public int elements() {
            return (int) (matrix * row * column);
        }

        private long size(int dim) {
            return dim == 0 ? matrix : dim == 1 ? row : column;
        }
    }

    public void read(Box first, Box sizes, Object array) {
        long bytes = tensor.dtype().bytes();
        long element = 0;
        long dense = bytes;
        List<Loop> loops = new ArrayList<>();
        for (int dim = 2; dim >= 0; dim--) {
            long stride = tensor.layout().stride(dim);
            element += first.size(dim) * stride;
            add(loops, new Loop((int) sizes.size(dim), stride * bytes, dense));
            dense *= sizes.size(dim);
        }
        loops.sort(Comparator.comparing(Loop::fromBytes).reversed()); // innermost what lies together
        BoxCopy copy = new BoxCopy((int) bytes, loops);
        copy.copy(null, tensor.address() + element * bytes, array, RawMemory.firstElement(array));
    }

    /** Joins a loop with the one inside it where that ends where the next iteration begins. */
    private static void add(List<Loop> loops, Loop outer) {
        if (outer.size() == 1) {
            return;
        }
        Loop inner = loops.isEmpty() ? null : loops.get(loops.size() - 1);
        if (inner != null && outer.fromBytes() == inner.fromBytes() * inner.size()) {
            loops.set(loops.size() - 1, new Loop(outer.size() * inner.size(), inner.fromBytes(), inner.toBytes()));
        } else {
            loops.add(outer);
        }
    }
}
