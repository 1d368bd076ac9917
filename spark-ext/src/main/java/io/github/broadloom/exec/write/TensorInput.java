package io.github.broadloom.exec.write;

import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.io.InputStream;

/**
 * Some bytes, and behind them the elements of a contiguous tensor from off-heap memory. It can be read again from a mark, which who uploads it does where the network
 * fails.
 */
final class TensorInput extends InputStream {
    private final byte[] head;
    private final Tensor tensor;
    private final long end;
    private long position;
    private long mark;

    TensorInput(byte[] head, Tensor tensor) {
        this.head = head;
        this.tensor = tensor;
        this.end = head.length + TensorBytes.count(tensor);
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (position == end) {
            return -1;
        }
        boolean inHead = position < head.length;
        int count = (int) Math.min(length, (inHead ? head.length : end) - position);
        if (inHead) {
            System.arraycopy(head, (int) position, target, offset, count);
        } else {
            try (Hold held = Hold.of(tensor)) {
                RawMemory.copy(tensor.address() + position - head.length, target, offset, count);
            }
        }
        position += count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(end - position, Integer.MAX_VALUE);
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) {
        mark = position;
    }

    @Override
    public void reset() {
        position = mark;
    }
}
