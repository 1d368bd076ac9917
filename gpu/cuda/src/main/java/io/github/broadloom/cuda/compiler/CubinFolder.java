package io.github.broadloom.cuda.compiler;

import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiled kernels on disk, shared by all JVMs of a user. A {@linkplain CubinFile file} appears whole, by an atomic move, and is deleted where its checksum
 * does not agree. Past a size in bytes those go that were not used for longest.
 * A disk that is full or fails costs compilations, never an answer.
 */
final class CubinFolder {
    private static final Logger LOG = LoggerFactory.getLogger(CubinFolder.class);
    private static final String SUFFIX = ".cubin";
    private static final long DAY_MILLIS = 24 * 3600 * 1000L;

    private final Path folder;
    private final long limitBytes;
    private long unprunedBytes;

    /** A folder that is there, for at most so many bytes. */
    CubinFolder(Path folder, long limitBytes) {
        this.folder = folder;
        this.limitBytes = limitBytes;
        this.unprunedBytes = limitBytes; // what lies there from earlier may be too much
    }

    /** The image of a name that begins so, the last of several by name, if one is there and sound. */
    Optional<byte[]> readAny(String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(prefix) && name.endsWith(SUFFIX))
                    .max(Comparator.naturalOrder())
                    .flatMap(name -> read(name.substring(0, name.length() - SUFFIX.length())));
        } catch (IOException e) {
            LOG.debug("Cannot list {}", folder, e);
            return Optional.empty();
        }
    }

    Optional<byte[]> read(String name) {
        Path file = folder.resolve(name + SUFFIX);
        try {
            Optional<byte[]> image = CubinFile.image(Files.readAllBytes(file));
            if (image.isPresent()) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
                return image;
            }
            LOG.warn("{} is damaged; its kernel is compiled again", file);
            Files.deleteIfExists(file);
        } catch (NoSuchFileException e) {
            LOG.trace("No kernel in {}", file);
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
        }
        return Optional.empty();
    }

    void write(String name, byte[] image) {
        ByteBuffer content = ByteBuffer.wrap(CubinFile.of(image));
        try {
            AtomicFile.write(folder.resolve(name + SUFFIX), WriteMode.OVERWRITE, channel -> {
                while (content.hasRemaining()) {
                    channel.write(content);
                }
            });
            pruneAfter(content.capacity());
        } catch (IOException e) {
            LOG.debug("Cannot keep a kernel in {}", folder, e);
        }
    }

    /** To list a folder costs more than to write a file, so it is done when much has come. */
    private synchronized void pruneAfter(long writtenBytes) throws IOException {
        unprunedBytes += writtenBytes;
        if (unprunedBytes >= limitBytes / 16) {
            prune();
            unprunedBytes = 0;
        }
    }

    private record Entry(Path file, long sizeBytes, long usedMillis) {
        static Entry of(Path file) {
            try {
                return new Entry(
                        file, Files.size(file), Files.getLastModifiedTime(file).toMillis());
            } catch (IOException e) {
                return new Entry(file, 0, 0); // another JVM took it away
            }
        }
    }

    /** Deletes the least recently used down to the limit, and what a JVM that died left half written. */
    private void prune() throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(Files::isRegularFile).map(Entry::of).forEach(entries::add);
        }
        entries.sort(Comparator.comparingLong(Entry::usedMillis));
        long surplusBytes = entries.stream().mapToLong(Entry::sizeBytes).sum() - limitBytes;
        long yesterday = System.currentTimeMillis() - DAY_MILLIS;
        for (Entry entry : entries) {
            boolean image = entry.file.toString().endsWith(SUFFIX);
            if (image ? surplusBytes > 0 : entry.usedMillis < yesterday) {
                Files.deleteIfExists(entry.file);
                surplusBytes -= entry.sizeBytes;
            }
        }
    }
}
