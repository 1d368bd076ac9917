package io.github.broadloom.exec.files;

import io.github.broadloom.io.AtomicFile;
import io.github.broadloom.io.WriteMode;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * A path of any file system that Hadoop knows. Those of the machine's own are reached through java.nio, which reads
 * straight into off-heap memory and leaves no checksum files.
 *
 * @param name what the user calls it
 * @param file its path, where it is of the machine's own
 */
public record Location(
        String name,
        String uri,
        @Nullable String file,
        @Nullable HadoopConfiguration configuration) implements Serializable {
    /** How often something that must be there is looked for, where a file system shows it late, and how long before the second time; then twice as long. */
    private static final int LOOKS = 6;

    private static final int FIRST_WAIT_MILLIS = 25;

    /**
     * @param path as Hadoop understands it: without a scheme it is of the default file system
     * @throws IOException where no file system is known for its scheme, or it is no path at all
     */
    public static Location of(String path, SparkContext context) throws IOException {
        try {
            Path given = new Path(path);
            FileSystem system = given.getFileSystem(context.hadoopConfiguration());
            Path qualified = system.makeQualified(given);
            String file = null;
            if ("file".equals(system.getUri().getScheme())) {
                file = new File(qualified.toUri().getPath()).getPath();
            }
            return new Location(
                    path, qualified.toString(), file, file == null ? HadoopConfiguration.of(context) : null);
        } catch (IllegalArgumentException e) {
            throw new IOException("Cannot use path: '" + path + "'; " + problem(path, e), e);
        }
    }

    private static String problem(String path, IllegalArgumentException failure) {
        boolean colon = path.matches("[^/:]+:[^/].*");
        return colon
                ? "what stands before its colon reads as a file system; write ./" + path
                : String.valueOf(failure.getMessage());
    }

    /** A file beside this one, or in this folder. */
    Location sibling(String other) {
        Path parent = hadoop().getParent();
        return at(under(parent == null ? new Path("/") : parent, other), other);
    }

    public Location folder() {
        Path parent = hadoop().getParent();
        return at(parent == null ? new Path("/") : parent, String.valueOf(parent));
    }

    /** Of three parts: alone, a name with a colon would read as a scheme. */
    private static Path under(Path folder, String other) {
        return new Path(folder, new Path(null, null, other));
    }

    public Location child(String other) {
        return at(under(hadoop(), other), name.endsWith("/") ? name + other : name + "/" + other);
    }

    private Location at(Path path, String calledName) {
        String local = file == null ? null : new File(path.toUri().getPath()).getPath();
        return new Location(calledName, path.toString(), local, configuration);
    }

    public String fileName() {
        return hadoop().getName();
    }

    public boolean isLocal() {
        return file != null;
    }

    public java.nio.file.Path local() {
        if (file == null) {
            throw new IllegalStateException("Not a file of this machine: " + uri);
        }
        return java.nio.file.Path.of(file);
    }

    public Path hadoop() {
        return new Path(uri);
    }

    public FileSystem fileSystem() throws IOException {
        if (configuration == null) {
            throw new IllegalStateException("A file of this machine: " + uri);
        }
        return hadoop().getFileSystem(configuration.value());
    }

    public boolean exists() throws IOException {
        return isLocal() ? Files.exists(local()) : fileSystem().exists(hadoop());
    }

    public boolean isDirectory() throws IOException {
        if (isLocal()) {
            return Files.isDirectory(local());
        }
        try {
            return fileSystem().getFileStatus(hadoop()).isDirectory();
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    public long length() throws IOException {
        return isLocal()
                ? Files.size(local())
                : fileSystem().getFileStatus(hadoop()).getLen();
    }

    public InputStream open() throws IOException {
        return isLocal() ? Files.newInputStream(local()) : fileSystem().open(hadoop());
    }

    public record Entry(String name, boolean folder, long bytes, long modifiedMillis) {}

    public List<Entry> list() throws IOException {
        return list(name -> true);
    }

    /** What of that has such names. */
    public List<Entry> list(Predicate<String> names) throws IOException {
        List<Entry> entries = new ArrayList<>();
        if (isLocal()) {
            DirectoryStream.Filter<java.nio.file.Path> filter =
                    file -> names.test(file.getFileName().toString());
            try (var files = Files.newDirectoryStream(local(), filter)) {
                for (java.nio.file.Path file : files) {
                    addTo(entries, file);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        } else {
            for (FileStatus status : fileSystem().listStatus(hadoop(), path -> names.test(path.getName()))) {
                entries.add(new Entry(
                        status.getPath().getName(),
                        status.isDirectory(),
                        status.getLen(),
                        status.getModificationTime()));
            }
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
    }

    private static void addTo(List<Entry> entries, java.nio.file.Path file) throws IOException {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            entries.add(new Entry(
                    file.getFileName().toString(),
                    found.isDirectory(),
                    found.isSymbolicLink() && Files.exists(file) ? Files.size(file) : found.size(),
                    found.lastModifiedTime().toMillis()));
        } catch (NoSuchFileException gone) {
            // Meanwhile: it is not in the folder any more.
        }
    }

    /** Throws a {@link NoSuchFileException} with its reason, where there is nothing here. */
    public void checkExists() throws IOException {
        if (!exists()) {
            throw new NoSuchFileException(name, null, "there is no such file or folder");
        }
    }

    /** Creates or replaces a file in a folder that exists: one that was deleted is not brought back where that can be told. */
    public OutputStream create() throws IOException {
        if (isLocal()) {
            return Files.newOutputStream(local());
        }
        FileSystem system = fileSystem();
        try {
            return system.createFile(hadoop()).overwrite(true).build();
        } catch (IOException e) {
            // What FileSystem itself says where a file system always makes the parents of a new file.
            if (String.valueOf(e.getMessage()).startsWith("createNonRecursive unsupported")) {
                return system.create(hadoop(), true);
            }
            throw e;
        }
    }

    /** Whether {@link #append} moves files to the end of this one without copying them. */
    public boolean appends() throws IOException {
        return !isLocal() && fileSystem().hasPathCapability(hadoop(), CommonPathCapabilities.FS_CONCAT);
    }

    /** Moves files of the same folder, none of them empty, to the end of this one. */
    public void append(List<Location> files) throws IOException {
        fileSystem().concat(hadoop(), files.stream().map(Location::hadoop).toArray(Path[]::new));
    }

    public void createDirectory() throws IOException {
        if (isLocal()) {
            Files.createDirectory(local());
        } else {
            createDirectories();
        }
    }

    /** Creates a folder and those above it, where they are not there. */
    public void createDirectories() throws IOException {
        if (isLocal()) {
            Files.createDirectories(local());
        } else if (!fileSystem().mkdirs(hadoop())) {
            throw new IOException("Cannot create folder: " + name);
        }
    }

    /**
     * Gives the file or folder another name, which nothing has, in the same file system; what has it is kept.
     *
     * @throws FileAlreadyExistsException where something has the name
     */
    public void moveTo(Location target) throws IOException {
        if (isLocal()) {
            AtomicFile.publish(local(), target.local(), WriteMode.CREATE);
            return;
        }
        new Renaming(this, target).run();
    }

    /**
     * Gives the file the name of another one, which readers find until it is replaced, or where nothing has that name. The machine's own file systems and hdfs do so in one
     * step; elsewhere the bytes are written again under that name, where object stores show them when all are there.
     */
    public void replace(Location target) throws IOException {
        if (isLocal()) {
            AtomicFile.publish(local(), target.local(), WriteMode.OVERWRITE);
        } else if (!target.exists()) {
            moveTo(target);
        } else if (!renamedOver(target)) {
            try (InputStream in = open();
                    OutputStream out = target.create()) {
                in.transferTo(out);
            }
            delete();
        }
    }

    /** Returns false where the file system is none that renames so in one step. */
    private boolean renamedOver(Location target) throws IOException {
        if (configuration == null || !appends()) {
            return false;
        }
        try {
            FileContext.getFileContext(hadoop().toUri(), configuration.value())
                    .rename(hadoop(), target.hadoop(), Options.Rename.OVERWRITE);
            return true;
        } catch (UnsupportedFileSystemException e) {
            return false;
        }
    }

    /**
     * The length of the file, which is looked for again where it is not there, or is shorter.
     *
     * @param expected the bytes that it should have
     * @return less than 0 where it is not there
     */
    public long bytesOrSoon(long expected) throws IOException {
        long wait = FIRST_WAIT_MILLIS;
        for (int look = 1; ; look++, wait *= 2) {
            long bytes = -1;
            try {
                bytes = length();
            } catch (FileNotFoundException | NoSuchFileException e) {
                // Not yet, perhaps.
            }
            if (bytes >= expected || look == LOOKS || isLocal()) {
                return bytes;
            }
            try {
                Thread.sleep(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    /**
     * Deletes a file, or a folder with all that is in it, also what tasks that do not know yet that they are killed put there
     * meanwhile; nothing happens where there is none.
     */
    public void delete() throws IOException {
        Deletion.of(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
