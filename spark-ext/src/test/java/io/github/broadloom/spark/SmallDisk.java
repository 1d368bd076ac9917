package io.github.broadloom.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A folder that is a disk of its own, of few megabytes, in memory. */
final class SmallDisk implements AutoCloseable {
    private static final int MEGABYTES = 64;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** The disk; nothing where this user may not mount one, as only root may. */
    static Optional<SmallDisk> at(Path folder) throws IOException {
        Files.createDirectories(folder);
        boolean mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "tmpfs", folder.toString());
        return mounted ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Fills it up, but for so many bytes. */
    void fill(long roomBytes) throws IOException {
        byte[] block = new byte[1 << 12];
        try (var file = Files.newOutputStream(ballast())) {
            for (long room = room() - roomBytes; room > 0; room -= block.length) {
                file.write(block, 0, (int) Math.min(block.length, room));
            }
        } catch (IOException full) {
            if (room() > block.length) {
                throw full;
            }
        }
    }

    private long room() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    /** Makes room again. */
    void empty() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    @Override
    public void close() {
        if (!succeeds("umount", folder.toString())) {
            succeeds("umount", "--lazy", folder.toString()); // a process that ends has it open
        }
    }
}
