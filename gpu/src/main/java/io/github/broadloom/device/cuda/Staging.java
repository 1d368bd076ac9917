package io.github.broadloom.device.cuda;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Pinned memory of this JVM, through which copies from and to a device run at the full speed of the bus and beside other work. To pin
 * memory takes longer than to copy it, so pieces of one size are kept and lent again.
 */
final class Staging {
    /** Large enough that the copy of a piece takes longer than to start it, small enough to stay in the caches of the CPU. */
    static final long PIECE_BYTES = 4L << 20;

    private static final int MOST_KEPT = 16;

    private final Deque<Long> kept = new ArrayDeque<>();
    private boolean closed;

    /**
     * The address of {@link #PIECE_BYTES} pinned bytes; null where the system has none to pin, and copies must do without.
     *
     * @throws CudaException where the driver fails for another reason
     */
    @Nullable Long take() {
        synchronized (this) {
            Long piece = kept.poll();
            if (piece != null) {
                return piece;
            }
        }
        try {
            return CudaDriver.memHostAlloc(PIECE_BYTES);
        } catch (CudaException e) {
            if (e.isOutOfMemory()) {
                return null;
            }
            throw e;
        }
    }

    /** Takes a piece back that no copy uses any more. */
    void give(long piece) {
        synchronized (this) {
            if (!closed && kept.size() < MOST_KEPT) {
                kept.push(piece);
                return;
            }
        }
        CudaDriver.memFreeHost(piece);
    }

    /** Frees what is kept; what is given back later is freed then. */
    void close() {
        Deque<Long> pieces;
        synchronized (this) {
            closed = true;
            pieces = new ArrayDeque<>(kept);
            kept.clear();
        }
        Cleanup cleanup = new Cleanup();
        pieces.forEach(piece -> cleanup.run(() -> CudaDriver.memFreeHost(piece)));
        cleanup.finish();
    }
}
