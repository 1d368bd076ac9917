package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.GpuCounter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import jcuda.driver.CUevent;
import org.jspecify.annotations.Nullable;

/**
 * Pinned memory of this JVM, through which copies from and to a device run at the full speed of the bus and beside other work. To pin
 * memory takes longer than to copy it, and to free it waits for the device, so pieces of one size are kept and lent again: the one that was used last first, so that those beyond what
 * is needed at once are idle, and are freed in time.
 *
 * <p>There are no more than the limit allows. A piece whose bytes are on their way to the device waits for nobody's hands: once all pieces are lent, whoever asks gets the one that was sent first, when its
 * copy is done. So pieces are short only where results fill them that nobody fetches.
 */
public final class Staging {
    /** Large enough that the copy of a piece takes longer than to start it, small enough to stay in the caches of the CPU. */
    public static final long PIECE_BYTES = 4L << 20;

    /** A piece in somebody's hands. Who gets it next has another one with the same bytes. */
    static final class Piece {
        /** Of {@link #PIECE_BYTES} pinned bytes. */
        final long address;
        /** Stands behind the copy that uses the bytes; whoever starts it records it. */
        final CUevent event;

        private long idleSince;

        private Piece(long address, CUevent event) {
            this.address = address;
            this.event = event;
        }

        private Piece handedOn() {
            return new Piece(address, event);
        }
    }

    private final long limitBytes;
    private final Runnable onKept;
    /** Pieces that nothing uses, the last one given back first. */
    private final Deque<Piece> kept = new ArrayDeque<>();
    /** Pieces whose copies to the device are under way, the oldest first. */
    private final Set<Piece> sent = new LinkedHashSet<>();

    private long pinnedBytes;
    private boolean closed;

    /** @param onKept hears that a piece waits for a taker: some time later {@link #freeExpired} is due */
    Staging(long limitBytes, Runnable onKept) {
        this.limitBytes = limitBytes;
        this.onKept = onKept;
    }

    /**
     * A piece that nothing uses; null where there is none, and copies must do without. Waits only for copies to the device.
     *
     * @throws CudaException where the driver fails for another reason than want of memory
     */
    @Nullable Piece take() {
        boolean mayGrow;
        synchronized (this) {
            if (!kept.isEmpty()) {
                return kept.pop();
            }
            Iterator<Piece> all = sent.iterator();
            Piece oldest = all.hasNext() ? all.next() : null;
            if (oldest != null && CudaDriver.eventQuery(oldest.event)) {
                all.remove();
                return oldest.handedOn();
            }
            mayGrow = pinnedBytes + PIECE_BYTES <= limitBytes;
            if (mayGrow) {
                count(PIECE_BYTES);
            }
        }
        Piece fresh = mayGrow ? fresh() : null;
        return fresh == null ? oldestSent() : fresh;
    }

    private void count(long bytes) {
        pinnedBytes += bytes;
        GpuCounter.hold(GpuCounter.PINNED_BYTES, GpuCounter.PEAK_PINNED_BYTES, bytes);
    }

    private synchronized void uncount() {
        count(-PIECE_BYTES);
    }

    private @Nullable Piece fresh() {
        try {
            long address = CudaDriver.memHostAlloc(PIECE_BYTES);
            try {
                return new Piece(address, CudaDriver.eventCreate());
            } catch (CudaException e) {
                new Cleanup(e).run(() -> CudaDriver.memFreeHost(address));
                throw e;
            }
        } catch (CudaException e) {
            uncount();
            if (e.isOutOfMemory()) {
                return null;
            }
            throw e;
        }
    }

    private @Nullable Piece oldestSent() {
        Piece oldest;
        synchronized (this) {
            Iterator<Piece> all = sent.iterator();
            if (!all.hasNext()) {
                return kept.poll();
            }
            oldest = all.next();
            all.remove();
        }
        awaitCopy(oldest);
        return oldest.handedOn();
    }

    private void awaitCopy(Piece piece) {
        try {
            CudaDriver.eventSynchronize(piece.event);
        } catch (CudaException e) {
            new Cleanup(e).run(() -> free(piece));
            throw e;
        }
    }

    /** The copy of a piece to the device is under way: from now on somebody else may get it when that is done. */
    synchronized void sent(Piece piece) {
        sent.add(piece);
    }

    /** Waits for the copy of a piece that was sent, and takes it back; false where somebody else has it by now. */
    boolean retake(Piece piece) {
        synchronized (this) {
            if (!sent.remove(piece)) {
                return false;
            }
        }
        awaitCopy(piece);
        return true;
    }

    /** Takes a piece back that no copy uses any more. */
    void give(Piece piece) {
        boolean keeps;
        synchronized (this) {
            keeps = !closed;
            if (keeps) {
                piece.idleSince = System.nanoTime();
                kept.push(piece);
            }
        }
        if (keeps) {
            onKept.run();
        } else {
            free(piece);
        }
    }

    /** Frees a piece whose stream has ended, unless it was sent and somebody else has it by now. */
    void end(Piece piece, boolean wasSent) {
        boolean mine;
        synchronized (this) {
            mine = sent.remove(piece) || !wasSent;
        }
        if (mine) {
            free(piece);
        }
    }

    private void free(Piece piece) {
        Cleanup cleanup = new Cleanup();
        cleanup.run(() -> CudaDriver.memFreeHost(piece.address));
        cleanup.run(() -> CudaDriver.eventDestroy(piece.event));
        uncount();
        cleanup.finish();
    }

    /** Frees what nobody took for so long, in a context of the device; nanoseconds until the next is due, negative where nothing waits. */
    long freeExpired(long idleNanos) {
        List<Piece> expired = new ArrayList<>();
        long leftNanos = -1;
        synchronized (this) {
            long now = System.nanoTime();
            while (!kept.isEmpty() && now - kept.getLast().idleSince >= idleNanos) {
                expired.add(kept.removeLast());
            }
            if (!kept.isEmpty()) {
                leftNanos = kept.getLast().idleSince + idleNanos - now;
            }
        }
        freeAll(expired);
        return leftNanos;
    }

    /** Frees what is kept; what is given back later is freed then. */
    void close() {
        List<Piece> pieces;
        synchronized (this) {
            closed = true;
            pieces = new ArrayList<>(kept);
            kept.clear();
        }
        freeAll(pieces);
    }

    private void freeAll(List<Piece> pieces) {
        Cleanup cleanup = new Cleanup();
        pieces.forEach(piece -> cleanup.run(() -> free(piece)));
        cleanup.finish();
    }
}
