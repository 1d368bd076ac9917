package io.github.broadloom.exec.write;

import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
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
    private final FlatFile file;
    private final Path destination;
    private final Location name;
    private final Path temporary;

    FlatFileSink(Location target, WriteMode mode, FlatFile file) throws IOException {
        super(target, mode);
        this.file = file;
        // Renaming onto a symbolic link would replace the link, not the file that its owner means.
        Path path = target.local();
        this.destination = Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        this.name = Temporaries.of(target);
        this.temporary = destination.resolveSibling(name.fileName());
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
        return InFileOrder.of(
                file, new Writer(temporary.toString(), target.name(), file.head().length, file.rowBytes()));
    }

    private record Writer(String file, String name, int dataOffset, long rowBytes) implements ChunkWriter {
        @Override
        public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
            // Not created here: a task that comes too late must not bring the file back.
            try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.WRITE)) {
                TensorBytes.write(chunk, channel, dataOffset + firstRow * rowBytes);
                return new Part(name, chunk.rank() == 0 ? 1 : chunk.shape().size(0), TensorBytes.count(chunk), 0);
            } catch (NoSuchFileException e) {
                throw new IOException(
                        "Cannot write " + name + ": "
                                + InetAddress.getLocalHost().getHostName()
                                + " does not see the folder that the driver writes to; use one that all machines share",
                        e);
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
