package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.compiler.NvrtcLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/**
 * One of the things that a kernel on a GPU needs: found, with its version, or not, with the reason. To look never throws.
 *
 * @param name what it is
 * @param present whether it can be used
 * @param description what was found, or why it cannot be used: one sentence without a full stop
 */
public record CudaPart(String name, boolean present, String description) {
    private static final String JCUDA_PROPERTIES = "/META-INF/maven/org.jcuda/jcuda/pom.properties";

    /** The GPUs with their driver; JCuda, which calls it; NVRTC, which compiles, and which only those need who compile. */
    public static List<CudaPart> all() {
        return List.of(gpus(), jcuda(), nvrtc());
    }

    private static CudaPart gpus() {
        CudaProbe probe = Gpus.probe();
        return new CudaPart("GPU", probe.devices() > 0, probe.reason());
    }

    private static CudaPart jcuda() {
        try (InputStream stream = CudaPart.class.getResourceAsStream(JCUDA_PROPERTIES)) {
            if (stream == null) {
                return new CudaPart("JCuda", false, "JCuda is not on the class path");
            }
            Properties properties = new Properties();
            properties.load(stream);
            return new CudaPart("JCuda", true, properties.getProperty("version", "of unknown version"));
        } catch (IOException e) {
            return new CudaPart("JCuda", false, "JCuda's jar cannot be read: " + e.getMessage());
        }
    }

    private static CudaPart nvrtc() {
        try {
            NvrtcLibrary library = NvrtcLibrary.load();
            List<Integer> architectures = library.architectures();
            String range = "sm_" + architectures.get(0) + " to sm_" + architectures.get(architectures.size() - 1);
            return new CudaPart("NVRTC", true, library.version() + " for " + range + ", " + library.path());
        } catch (IllegalStateException | LinkageError e) {
            return new CudaPart("NVRTC", false, String.valueOf(e.getMessage()).replaceFirst("^NVRTC is ", ""));
        }
    }
}
