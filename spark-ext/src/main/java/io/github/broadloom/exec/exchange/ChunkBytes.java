package io.github.broadloom.exec.exchange;

import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;

/**
 * The elements of a chunk on the heap, row-major, as a task's result: a task's off-heap memory is released when it ends,
 * which is before Spark serialises what it returns.
 */
public final class ChunkBytes implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int PIECE_BYTES = 8 << 20;

    private final byte[][] pieces;

    private ChunkBytes(byte[][] pieces) {
        this.pieces = pieces;
    }

    static ChunkBytes of(Tensor chunk) {
        Tensor rows = chunk.contiguous();
        try {
            return ofRows(rows);
        } finally {
            if (rows.storage() != chunk.storage()) {
                rows.release();
            }
        }
    }

    private static ChunkBytes ofRows(Tensor chunk) {
        long bytes = chunk.numel() * chunk.dtype().bytes();
        byte[][] pieces = new byte[Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES)][];
        long address = chunk.address();
        try (Hold held = Hold.of(chunk)) {
            for (int i = 0; i < pieces.length; i++) {
                long start = (long) i * PIECE_BYTES;
                pieces[i] = new byte[(int) Math.min(PIECE_BYTES, bytes - start)];
                RawMemory.copy(address + start, pieces[i], 0, pieces[i].length);
            }
        }
        return new ChunkBytes(pieces);
    }

    long sizeBytes() {
        long bytes = 0;
        for (byte[] piece : pieces) {
            bytes += piece.length;
        }
        return bytes;
    }

    public void copyTo(Tensor view) {
        if (view.isContiguous()) {
            try (Hold held = Hold.of(view)) {
                copyTo(view.address());
            }
            return;
        }
        Tensor rows = Tensors.empty(view.dtype(), view.shape());
        copyTo(rows.address());
        view.copy_(rows);
        rows.release();
    }

    private void copyTo(long address) {
        long to = address;
        for (byte[] piece : pieces) {
            RawMemory.copy(piece, 0, to, piece.length);
            to += piece.length;
        }
    }
}
