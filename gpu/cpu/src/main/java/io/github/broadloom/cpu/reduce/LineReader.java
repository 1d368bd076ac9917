package io.github.broadloom.cpu.reduce;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/** Brings lines of a tensor, one at a time, into an array on the heap, and out of one. */
public final class LineReader {
    private final Tensor tensor;
    private final Layout lines;
    private final int bytes;
    private final Object line;
    private final BoxCopy in;
    private final BoxCopy out;

    /** @param lines where the elements lie in the storage, those of a line along the last dimension */
    public LineReader(Tensor tensor, Layout lines) {
        int last = lines.shape().rank() - 1;
        int length = (int) lines.shape().size(last);
        this.tensor = tensor;
        this.lines = lines;
        this.bytes = tensor.dtype().bytes();
        this.line = tensor.dtype().primitive().newArray(length);
        long step = lines.stride(last) * bytes;
        this.in = new BoxCopy(bytes, List.of(new BoxCopy.Loop(length, step, bytes)));
        this.out = new BoxCopy(bytes, List.of(new BoxCopy.Loop(length, bytes, step)));
    }

    /** The array, of the primitives that elements are stored in. */
    public Object line() {
        return line;
    }

    /** Fills the array with the line of that number, row-major. */
    public void read(long number) {
        in.copy(null, address(number), line, RawMemory.firstElement(line));
    }

    /** Writes the array to the line of that number. */
    public void write(long number) {
        out.copy(line, RawMemory.firstElement(line), null, address(number));
    }

    private long address(long number) {
        long offset = lines.offset();
        long rest = number;
        for (int dim = lines.shape().rank() - 2; dim >= 0; dim--) {
            offset += rest % lines.shape().size(dim) * lines.stride(dim);
            rest /= lines.shape().size(dim);
        }
        return tensor.storage().address() + offset * bytes;
    }
}
