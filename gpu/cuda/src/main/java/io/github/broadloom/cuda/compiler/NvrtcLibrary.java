package io.github.broadloom.cuda.compiler;

import io.github.broadloom.device.DeviceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcResult;
import org.jspecify.annotations.Nullable;

/**
 * The NVRTC of this process, loaded when it is first asked for. JCuda's own library is linked to {@code libnvrtc.so.12}; what was loaded under
 * that name before is what it gets, wherever it lies. A process loads it once, so a failure stays, with its reason.
 *
 * @param path the file
 * @param version as {@code 12.9}
 * @param architectures that it compiles for, ascending: 90 stands for {@code sm_90}
 */
public record NvrtcLibrary(Path path, String version, List<Integer> architectures) {
    private static final String JCUDAS_NVRTC = "libnvrtc.so.12";

    /** The functions that {@link NvrtcCompiler} and this class call; later versions have them as version 12 has. */
    private static final List<String> FUNCTIONS = List.of(
            "nvrtcVersion",
            "nvrtcGetErrorString",
            "nvrtcGetNumSupportedArchs",
            "nvrtcGetSupportedArchs",
            "nvrtcCreateProgram",
            "nvrtcDestroyProgram",
            "nvrtcCompileProgram",
            "nvrtcGetProgramLogSize",
            "nvrtcGetProgramLog",
            "nvrtcGetCUBINSize",
            "nvrtcGetCUBIN",
            "nvrtcGetPTXSize",
            "nvrtcGetPTX");

    private static @Nullable NvrtcLibrary loaded;
    private static @Nullable Failure failure;
    private static Optional<String> versionHere = Optional.empty();

    /** Why there is none; thrown anew each time, as a stack belongs to one call. */
    private record Failure(String reason, @Nullable Throwable cause) {}

    /**
     * The library, loaded now if it is not yet.
     *
     * @throws IllegalStateException saying why there is none, in a clause that follows a colon
     */
    public static synchronized NvrtcLibrary load() {
        if (loaded != null) {
            return loaded;
        }
        if (failure == null) {
            try {
                loaded = load(NvrtcSearch.ofThisProcess().find());
                return loaded;
            } catch (IOException | LinkageError e) {
                String reason =
                        String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                failure = new Failure("NVRTC does not load: " + reason, e);
            } catch (IllegalStateException e) {
                failure = new Failure(String.valueOf(e.getMessage()), e.getCause());
            }
        }
        throw new IllegalStateException(failure.reason, failure.cause);
    }

    private static NvrtcLibrary load(List<NvrtcFiles> found) throws IOException {
        if (found.isEmpty()) {
            throw new IllegalStateException("NVRTC is not here (looked in " + NvrtcSearch.PLACES
                    + "); build with the Maven profile cuda, or set " + DeviceSettings.NVRTC_PATH
                    + " to libnvrtc.so.12 or its folder");
        }
        NvrtcFiles files = found.get(0);
        files.builtins().forEach(NvrtcLibrary::load);
        load(files.library());
        if (files.major() != 12) {
            load(forwarding(files.major()));
        }
        NativeLibraries.loadNvrtc();
        JNvrtc.setExceptionsEnabled(false);
        int[] major = new int[1];
        int[] minor = new int[1];
        check(JNvrtc.nvrtcVersion(major, minor), "nvrtcVersion");
        NvrtcLibrary library = new NvrtcLibrary(files.library(), major[0] + "." + minor[0], supported());
        versionHere = Optional.of(files.namedVersion().isPresent() ? library.version : files.version());
        return library;
    }

    /**
     * By which version its machine code is kept; empty where none is found. Until it is loaded its files tell; what it tells itself then stands in place of their names, but not of a
     * checksum, by which other processes find the code before they load it.
     */
    static synchronized Optional<String> versionHere() throws IOException {
        if (versionHere.isEmpty()) {
            List<NvrtcFiles> found = NvrtcSearch.ofThisProcess().find();
            if (!found.isEmpty()) {
                versionHere = Optional.of(found.get(0).version());
            }
        }
        return versionHere;
    }

    private static void load(Path library) {
        System.load(library.toAbsolutePath().toString());
    }

    /** A library that makes a later NVRTC look like the one to which JCuda is linked. */
    private static Path forwarding(int major) throws IOException {
        Path folder = Files.createDirectories(CacheFolder.of("nvrtc").resolve("forward-" + major));
        byte[] image = ForwardingLibrary.image(JCUDAS_NVRTC, "libnvrtc.so." + major, FUNCTIONS);
        return CacheFolder.keep(folder, JCUDAS_NVRTC, image);
    }

    private static List<Integer> supported() {
        int[] count = new int[1];
        check(JNvrtc.nvrtcGetNumSupportedArchs(count), "nvrtcGetNumSupportedArchs");
        int[] architectures = new int[count[0]];
        check(JNvrtc.nvrtcGetSupportedArchs(architectures), "nvrtcGetSupportedArchs");
        return IntStream.of(architectures).sorted().boxed().toList();
    }

    static void check(int result, String call) {
        if (result != nvrtcResult.NVRTC_SUCCESS) {
            throw new IllegalStateException(call + " fails: " + nvrtcResult.stringFor(result));
        }
    }

    /**
     * The one to compile for so that a device of {@code architecture} runs the machine code: the nearest from below with the same first
     * digits, as machine code runs on later devices of its generation, and on no others. Empty where NVRTC has none of this generation.
     */
    Optional<Integer> machineCodeFor(int architecture) {
        return nearest(architecture, architecture / 10);
    }

    /** The one to compile for so that the driver can make machine code for this device of the portable form: the nearest from below. */
    Optional<Integer> portableCodeFor(int architecture) {
        return nearest(architecture, 0);
    }

    private Optional<Integer> nearest(int architecture, int generation) {
        return architectures.stream()
                .filter(known -> known <= architecture && known / 10 >= generation)
                .reduce((lower, higher) -> higher);
    }
}
