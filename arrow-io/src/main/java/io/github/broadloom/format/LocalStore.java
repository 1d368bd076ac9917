package io.github.broadloom.format;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A file or folder of this machine. Symbolic links inside a folder are followed as long as they stay in it.
 *
 * @param file its path
 */
public record LocalStore(String name, String file) implements Store {
    public static LocalStore of(Path path) {
        return new LocalStore(path.toString(), path.toString());
    }

    private Path path(String key) throws IOException {
        Path root = Path.of(file);
        if (key.isEmpty()) {
            return root;
        }
        Path path = root.resolve(Keys.checked(key, name));
        if (Files.exists(path) && !path.toRealPath().startsWith(root.toRealPath())) {
            throw new TensorFormatException("Cannot read " + name(key) + ": a symbolic link leads out of " + name);
        }
        return path;
    }

    @Override
    public SeekableByteChannel open(String key) throws IOException {
        Path path = path(key);
        if (!Files.isRegularFile(path)) {
            throw new NoSuchFileException(
                    name(key), null, Files.exists(path) ? "it is not a file" : "there is no such file");
        }
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    @Override
    public boolean isFolder(String key) throws IOException {
        return Files.isDirectory(path(key));
    }

    @Override
    public List<Entry> list(String folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (var files = Files.newDirectoryStream(path(folder))) {
            for (Path found : files) {
                boolean isFolder = Files.isDirectory(found);
                long bytes = isFolder || !Files.exists(found) ? 0 : Files.size(found);
                entries.add(new Entry(found.getFileName().toString(), isFolder, bytes));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NotDirectoryException e) {
            throw new NoSuchFileException(name(folder), null, "it is not a folder");
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
    }
}
