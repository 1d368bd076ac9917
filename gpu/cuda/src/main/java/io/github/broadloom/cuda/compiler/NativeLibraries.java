package io.github.broadloom.cuda.compiler;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.function.Supplier;
import jcuda.driver.JCudaDriver;
import jcuda.nvrtc.JNvrtc;
import org.jspecify.annotations.Nullable;

/**
 * Has JCuda load its native libraries from a folder of this user's alone. JCuda by itself unpacks them to {@code java.io.tmpdir}, under names
 * that anybody can guess, and loads what it finds there: on a machine with several users, what another of them put there. It also writes
 * straight to the final name, so a second JVM that starts meanwhile maps half a file and dies.
 */
public final class NativeLibraries {
    private static final String SUFFIX = "-12.6.0-linux-x86_64.so";
    private static final String UNPACK_TO = "java.io.tmpdir";

    private NativeLibraries() {}

    /**
     * Loads the library through which JCuda calls the driver.
     *
     * @throws UnsatisfiedLinkError on a platform for which JCuda has no library, and where it does not load
     */
    public static void loadDriver() throws IOException {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!platform.equals("Linux amd64")) {
            throw new UnsatisfiedLinkError("JCuda's libraries are for Linux x86-64; this is " + platform);
        }
        load("libJCudaDriver" + SUFFIX, () -> JCudaDriver.class);
    }

    static void loadNvrtc() throws IOException {
        load("libJNvrtc" + SUFFIX, () -> JNvrtc.class);
    }

    /**
     * Initialises the class that loads a library, while the property that tells JCuda where to look names the private folder. No other
     * way leads JCuda elsewhere: it looks into {@code java.library.path}, which cannot be changed any more, and there. A thread that
     * asks for {@code java.io.tmpdir} in these milliseconds gets a folder that it can use.
     */
    private static synchronized void load(String library, Supplier<Class<?>> user) throws IOException {
        byte[] content = read(library); // first, so that who lacks JCuda hears of that
        Path folder = CacheFolder.of("jcuda");
        CacheFolder.keep(folder, library, content);
        @Nullable String shared = System.setProperty(UNPACK_TO, folder.toString());
        try {
            MethodHandles.lookup().ensureInitialized(user.get());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // JCuda's classes are public
        } finally {
            if (shared == null) {
                System.clearProperty(UNPACK_TO);
            } else {
                System.setProperty(UNPACK_TO, shared);
            }
        }
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
