package io.github.broadloom.device.cuda;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Puts JCuda's native libraries where JCuda looks for them, before it does. JCuda unpacks them itself by writing straight
 * to the final name, so a second JVM that starts meanwhile maps half a file and dies; here a file appears whole, by an
 * atomic move, and one that is there in its full size is left alone.
 */
final class NativeLibraries {
    private static final String SUFFIX = "-12.6.0-linux-x86_64.so";
    private static final String DRIVER = "libJCudaDriver" + SUFFIX;

    private NativeLibraries() {}

    /**
     * Places the library through which JCuda calls the driver.
     *
     * @throws UnsatisfiedLinkError on a platform for which JCuda has no library
     */
    static void place() throws IOException {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!platform.equals("Linux amd64")) {
            throw new UnsatisfiedLinkError("JCuda's libraries are for Linux x86-64; this is " + platform);
        }
        place(DRIVER, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Places one library of the class path in a folder. */
    static Path place(String library, Path folder) throws IOException {
        Path target = folder.resolve(library);
        byte[] content = read(library);
        if (Files.isRegularFile(target) && Files.size(target) == content.length) {
            return target;
        }
        Path fresh = Files.createTempFile(folder, library, ".part");
        try {
            Files.write(fresh, content);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        return target;
    }

    private static byte[] read(String library) throws IOException {
        try (InputStream in = NativeLibraries.class.getResourceAsStream("/lib/" + library)) {
            if (in == null) {
                throw new FileNotFoundException("lib/" + library + " is missing");
            }
            return in.readAllBytes();
        }
    }
}
