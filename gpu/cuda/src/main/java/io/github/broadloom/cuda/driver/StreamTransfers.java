package io.github.broadloom.cuda.driver;

import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.tensor.RawMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * Copies between this JVM and a device in one stream, through pinned pieces: while one is on the bus the CPU fills or empties the
 * next. A piece is used again when the event behind its copy has come. Of one thread at a time.
 */
public final class StreamTransfers {
    /** How many pieces are under way: one on the bus, one waiting for it, one in the hands of the CPU. */
    private static final int PIECES_IN_FLIGHT = 3;

    /** Up to here the driver's own way, through a buffer of its own, is as fast. */
    private static final long SMALL_BYTES = 64 << 10;

    /** What is under way when no piece is used twice. */
    public static final long BYTES_IN_FLIGHT = PIECES_IN_FLIGHT * Staging.PIECE_BYTES;

    private static final long NOWHERE = 0;

    private final Staging staging;
    private final PinnedSlabs slabs;
    private final CUstream stream;
    /** Pieces on their way to the device; others may have them by now. */
    private final Deque<Staging.Piece> uploads = new ArrayDeque<>();

    private final Deque<Download> downloads = new ArrayDeque<>();
    private final Deque<Postponed> postponed = new ArrayDeque<>();

    /** A piece, and where its bytes shall go when its copy is done. */
    private static final class Download {
        final Staging.Piece piece;
        final long bytes;
        long target;

        Download(Staging.Piece piece, long target, long bytes) {
            this.piece = piece;
            this.target = target;
            this.bytes = bytes;
        }
    }

    private record Postponed(long device, long host, long bytes) {}

    private boolean straight;

    StreamTransfers(Staging staging, PinnedSlabs slabs, CUstream stream) {
        this.staging = staging;
        this.slabs = slabs;
        this.stream = stream;
    }

    /** The host's bytes stay as they are until the stream has been waited for. */
    void startUpload(long host, long device, long bytes) {
        if (bytes <= SMALL_BYTES ? !slabs.mayCover(host) : slabs.covers(host, bytes)) {
            GpuCounter.UPLOADED_BYTES.add(bytes);
            CudaDriver.memcpyHtoDAsync(device, host, bytes, stream);
        } else {
            upload(host, device, bytes);
        }
    }

    /**
     * When this returns, the host's bytes may be overwritten. So they go through a piece however few they are: "API synchronization behavior" of the CUDA driver API says that an asynchronous copy
     * between a device and memory that is not pinned "might be synchronous with respect to host", which promises nothing, and that of pinned memory is not.
     */
    void upload(long host, long device, long bytes) {
        GpuCounter.UPLOADED_BYTES.add(bytes);
        for (long offset = 0; offset < bytes; ) {
            Staging.Piece piece = pieceToSend();
            if (piece == null) {
                CudaDriver.memcpyHtoDAsync(device + offset, host + offset, bytes - offset, stream);
                CudaDriver.streamSynchronize(stream);
                return;
            }
            long size = Math.min(bytes - offset, Staging.PIECE_BYTES);
            send(piece, host + offset, device + offset, size);
            offset += size;
        }
    }

    private Staging.@Nullable Piece pieceToSend() {
        while (uploads.size() >= PIECES_IN_FLIGHT) {
            Staging.Piece oldest = uploads.remove();
            if (staging.retake(oldest)) {
                return oldest;
            }
        }
        return staging.take();
    }

    private void send(Staging.Piece piece, long host, long device, long bytes) {
        try {
            GpuCounter.STAGED_BYTES.add(bytes);
            RawMemory.copy(host, piece.address, bytes);
            CudaDriver.memcpyHtoDAsync(device, piece.address, bytes, stream);
            CudaDriver.eventRecord(piece.event, stream);
        } finally {
            uploads.add(piece);
            staging.sent(piece);
        }
    }

    /** The bytes are there when the stream has been waited for, and then {@link #finish} was called. */
    void download(long device, long host, long bytes) {
        GpuCounter.DOWNLOADED_BYTES.add(bytes);
        if (bytes <= SMALL_BYTES || slabs.covers(host, bytes)) {
            bringStraight(device, host, bytes);
        } else {
            bring(device, host, bytes);
        }
    }

    /** As {@link #download}, but waits for nothing: what finds no piece that is free is brought by {@link #startPostponed}. */
    void startDownload(long device, long host, long bytes) {
        GpuCounter.DOWNLOADED_BYTES.add(bytes);
        if (slabs.covers(host, bytes)) {
            bringStraight(device, host, bytes);
            return;
        }
        for (long offset = 0; offset < bytes; ) {
            boolean waits = !postponed.isEmpty() || downloads.size() >= PIECES_IN_FLIGHT;
            Staging.Piece piece = waits ? null : staging.take();
            if (piece == null) {
                postponed.add(new Postponed(device + offset, host + offset, bytes - offset));
                return;
            }
            offset += fetch(piece, device + offset, host + offset, bytes - offset);
        }
    }

    /** Starts the copies that found no piece, and waits for others for it. Their bytes of the device must be there still. */
    void startPostponed() {
        while (!postponed.isEmpty()) {
            Postponed next = postponed.remove();
            bring(next.device, next.host, next.bytes);
        }
    }

    private void bringStraight(long device, long host, long bytes) {
        straight = true;
        CudaDriver.memcpyDtoHAsync(host, device, bytes, stream);
    }

    private void bring(long device, long host, long bytes) {
        for (long offset = 0; offset < bytes; ) {
            Staging.Piece piece = pieceToFill();
            if (piece == null) {
                bringStraight(device + offset, host + offset, bytes - offset);
                return;
            }
            offset += fetch(piece, device + offset, host + offset, bytes - offset);
        }
    }

    private Staging.@Nullable Piece pieceToFill() {
        if (downloads.size() >= PIECES_IN_FLIGHT) {
            return finishOldest();
        }
        Staging.Piece piece = staging.take();
        return piece == null && !downloads.isEmpty() ? finishOldest() : piece;
    }

    private long fetch(Staging.Piece piece, long device, long host, long bytes) {
        long size = Math.min(bytes, Staging.PIECE_BYTES);
        downloads.add(new Download(piece, host, size));
        CudaDriver.memcpyDtoHAsync(piece.address, device, size, stream);
        CudaDriver.eventRecord(piece.event, stream);
        return size;
    }

    /** Waits for the oldest copy, brings its bytes to their target, and gives the piece that is free now. */
    private Staging.Piece finishOldest() {
        Download oldest = downloads.element();
        CudaDriver.eventSynchronize(oldest.piece.event);
        downloads.remove();
        if (oldest.target != NOWHERE) {
            GpuCounter.STAGED_BYTES.add(oldest.bytes);
            RawMemory.copy(oldest.piece.address, oldest.target, oldest.bytes);
        }
        return oldest.piece;
    }

    boolean isIdle() {
        return uploads.isEmpty() && downloads.isEmpty() && postponed.isEmpty() && !straight;
    }

    /** Waits for every copy and gives the pieces back. */
    void finish() {
        straight = false;
        while (!downloads.isEmpty()) {
            staging.give(finishOldest());
        }
        while (!uploads.isEmpty()) {
            Staging.Piece piece = uploads.remove();
            if (staging.retake(piece)) {
                staging.give(piece);
            }
        }
    }

    /** What is still on its way from the device goes nowhere, or is there when this returns. */
    void forgetTargets() {
        downloads.forEach(download -> download.target = NOWHERE);
        postponed.clear();
        if (straight) {
            straight = false;
            CudaDriver.streamSynchronize(stream);
        }
    }

    /** Frees all, when the stream has ended: nothing is waited for, and nothing more is brought to its target. */
    void close() {
        Cleanup cleanup = new Cleanup();
        postponed.clear();
        straight = false;
        uploads.forEach(piece -> cleanup.run(() -> staging.end(piece, true)));
        uploads.clear();
        downloads.forEach(download -> cleanup.run(() -> staging.end(download.piece, false)));
        downloads.clear();
        cleanup.finish();
    }
}
