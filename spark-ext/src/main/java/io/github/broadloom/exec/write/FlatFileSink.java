package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * One file on a disk that all executors share: the tasks write their chunks into one temporary file, each at its own
 * place, so that a task that runs twice writes the same bytes twice.
 */
final class FlatFileSink extends Sink {
    /** To write fewer at a time takes longer than to bring rows together. */
    private static final long LEAST_RUN_BYTES = 4096;

    private final FlatFile file;
    private final ChunkGrid grid;
    private final Path destination;
    private final Location name;
    private final Path temporary;

    /** @param grid the chunks, which need not be whole rows */
    FlatFileSink(Location target, WriteMode mode, FlatFile file, ChunkGrid grid) throws IOException {
        super(target, mode);
        this.file = file;
        this.grid = grid;
        // Renaming onto a symbolic link would replace the link, not the file that its owner means.
        Path path = target.local();
        this.destination = Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        this.name = Temporaries.of(target);
        this.temporary = destination.resolveSibling(name.fileName());
    }

    /** Whether chunks of such a grid are written as they are. */
    static boolean takes(ChunkGrid grid, DType dtype) {
        return grid.cutsRowsAlone() || dtype.sizeBytes(runElements(grid.largest(), grid.shape())) >= LEAST_RUN_BYTES;
    }

    /** How many elements of a box follow each other in the file. */
    private static long runElements(Shape box, Shape whole) {
        long run = 1;
        int d = whole.rank() - 1;
        while (d >= 0 && box.size(d) == whole.size(d)) {
            run *= box.size(d--);
        }
        return d < 0 ? run : run * box.size(d);
    }

    @Override
    public void begin() throws IOException {
        Targets.checkFile(target, mode);
        Targets.prepare(target, mode, file.bytes());
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, 0, file.head());
            write(channel, file.head().length + file.dataBytes(), new byte[file.padding()]);
        }
    }

    private static void write(FileChannel channel, long position, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left, position + left.position());
        }
    }

    @Override
    public ChunkWriter writer() {
        return InFileOrder.of(file, new Writer(temporary.toString(), target.name(), file.head().length, grid));
    }

    private record Writer(String file, String name, int dataOffset, ChunkGrid grid) implements ChunkWriter {
        @Override
        public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
            // Not created here: a task that comes too late must not bring the file back.
            try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.WRITE)) {
                write(chunk, grid.box(index), channel);
                return new Part(name, chunk.rank() == 0 ? 1 : chunk.shape().size(0), TensorBytes.count(chunk), 0);
            } catch (NoSuchFileException e) {
                throw new IOException(
                        "Cannot write " + name + ": "
                                + InetAddress.getLocalHost().getHostName()
                                + " does not see the folder that the driver writes to; use one that all machines share",
                        e);
            }
        }

        /** Run by run, each at its place. */
        private void write(Tensor chunk, Box box, FileChannel channel) throws IOException {
            long[] strides = Layout.contiguous(grid.shape()).strides();
            int bytes = chunk.dtype().bytes();
            long run = runElements(box.shape(), grid.shape());
            long[] at = box.starts();
            for (long written = 0; written < chunk.numel(); written += run) {
                long element = 0;
                for (int d = 0; d < at.length; d++) {
                    element += at[d] * strides[d];
                }
                TensorBytes.write(chunk, written * bytes, run * bytes, channel, dataOffset + element * bytes);
                next(at, box, run);
            }
        }

        /** The place that is so many elements behind. */
        private static void next(long[] at, Box box, long elements) {
            long rest = elements;
            for (int d = at.length - 1; d >= 0 && rest > 0; d--) {
                long index = at[d] - box.start(d) + rest;
                at[d] = box.start(d) + index % box.size(d);
                rest = index / box.size(d);
            }
        }
    }

    @Override
    public void commit(List<Part> parts) throws IOException {
        try {
            AtomicFile.publish(temporary, destination, mode);
            Temporaries.over(name);
        } catch (FileAlreadyExistsException e) {
            throw Targets.alreadyExists(target);
        }
    }

    @Override
    public void abort() throws IOException {
        Temporaries.over(name);
        Files.deleteIfExists(temporary);
    }
}
