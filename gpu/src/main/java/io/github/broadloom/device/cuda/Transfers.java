package io.github.broadloom.device.cuda;

import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.RawMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * Copies between this JVM and a device in one stream, through pinned pieces: while one is on the bus the CPU fills or empties the
 * next. A piece is used again when the event behind its copy has come. Of one thread at a time.
 */
final class Transfers {
    /** How many pieces are under way: one on the bus, one waiting for it, one in the hands of the CPU. */
    private static final int PIECES_IN_FLIGHT = 3;

    /** Up to here the driver's own way, through a buffer of its own, is as fast. */
    private static final long SMALL_BYTES = 64 << 10;

    /** What is under way when no piece is used twice. */
    static final long BYTES_IN_FLIGHT = PIECES_IN_FLIGHT * Staging.PIECE_BYTES;

    private static final long NOWHERE = 0;

    private final Staging staging;
    private final CUstream stream;
    private final Deque<Piece> inFlight = new ArrayDeque<>();
    private final Deque<CUevent> events = new ArrayDeque<>();

    /** A pinned piece, and where its bytes shall go when its copy is done: nowhere for an upload. */
    private static final class Piece {
        final long address;

        @Nullable CUevent event;

        long target = NOWHERE;
        long targetBytes;

        Piece(long address) {
            this.address = address;
        }
    }

    Transfers(Staging staging, CUstream stream) {
        this.staging = staging;
        this.stream = stream;
    }

    /** When this returns, the host's bytes may be overwritten. */
    void upload(long host, long device, long bytes) {
        GpuCounter.UPLOADED_BYTES.add(bytes);
        for (long offset = 0; offset < bytes; ) {
            Piece piece = bytes <= SMALL_BYTES ? null : nextPiece();
            if (piece == null) {
                CudaDriver.memcpyHtoDAsync(device + offset, host + offset, bytes - offset, stream);
                return;
            }
            long size = Math.min(bytes - offset, Staging.PIECE_BYTES);
            RawMemory.copy(host + offset, piece.address, size);
            CudaDriver.memcpyHtoDAsync(device + offset, piece.address, size, stream);
            record(piece);
            offset += size;
        }
    }

    /** The bytes are there when the stream has been waited for, and then {@link #finish} was called. */
    void download(long device, long host, long bytes) {
        download(device, host, bytes, bytes <= SMALL_BYTES);
    }

    /** As {@link #download}; what fits into the pieces in flight is not waited for, as the driver's own way always does. */
    void startDownload(long device, long host, long bytes) {
        download(device, host, bytes, false);
    }

    private void download(long device, long host, long bytes, boolean direct) {
        GpuCounter.DOWNLOADED_BYTES.add(bytes);
        for (long offset = 0; offset < bytes; ) {
            Piece piece = direct ? null : nextPiece();
            if (piece == null) {
                CudaDriver.memcpyDtoHAsync(host + offset, device + offset, bytes - offset, stream);
                return;
            }
            long size = Math.min(bytes - offset, Staging.PIECE_BYTES);
            CudaDriver.memcpyDtoHAsync(piece.address, device + offset, size, stream);
            piece.target = host + offset;
            piece.targetBytes = size;
            record(piece);
            offset += size;
        }
    }

    /** A piece that is free, and counts as in flight; null where nothing can be pinned. */
    private @Nullable Piece nextPiece() {
        Long address = inFlight.size() < PIECES_IN_FLIGHT ? staging.take() : null;
        if (address == null && !inFlight.isEmpty()) {
            address = finishOldest();
        }
        if (address == null) {
            return null;
        }
        Piece piece = new Piece(address);
        inFlight.add(piece);
        return piece;
    }

    private void record(Piece piece) {
        CUevent event = events.poll();
        if (event == null) {
            event = CudaDriver.eventCreate();
        }
        piece.event = event;
        CudaDriver.eventRecord(event, stream);
    }

    /** Waits for the oldest copy, brings its bytes to their target, and gives the address of the piece that is free now. */
    private long finishOldest() {
        Piece oldest = inFlight.element();
        CUevent event = oldest.event;
        if (event != null) {
            CudaDriver.eventSynchronize(event);
            events.push(event);
        }
        inFlight.remove();
        if (oldest.target != NOWHERE) {
            RawMemory.copy(oldest.address, oldest.target, oldest.targetBytes);
        }
        return oldest.address;
    }

    /** Waits for every copy and gives the pieces back. */
    void finish() {
        while (!inFlight.isEmpty()) {
            staging.give(finishOldest());
        }
    }

    /** What is still on its way from the device goes nowhere. */
    void forgetTargets() {
        inFlight.forEach(piece -> piece.target = NOWHERE);
    }

    /** Frees all, when the stream has ended: nothing is waited for, and nothing more is brought to its target. */
    void close() {
        Cleanup cleanup = new Cleanup();
        for (Piece piece : inFlight) {
            CUevent event = piece.event;
            if (event != null) {
                events.push(event);
            }
            cleanup.run(() -> CudaDriver.memFreeHost(piece.address));
        }
        inFlight.clear();
        events.forEach(event -> cleanup.run(() -> CudaDriver.eventDestroy(event)));
        events.clear();
        cleanup.finish();
    }
}
