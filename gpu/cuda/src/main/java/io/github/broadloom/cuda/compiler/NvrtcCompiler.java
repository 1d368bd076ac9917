package io.github.broadloom.cuda.compiler;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.device.DeviceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;

/**
 * NVIDIA's compiler for the run time. Needs no GPU. It makes machine code; for devices newer than itself PTX, of which their driver makes
 * machine code, though JCuda's own copy of that compiler is too old to.
 */
public final class NvrtcCompiler implements CudaCompiler {
    @Override
    public Optional<String> name() {
        return Optional.of("nvrtc");
    }

    /** Found, not loaded: who has every kernel on disk waits for no library of 100 MB. Once it is loaded, what it says itself. */
    @Override
    public Optional<String> version() {
        try {
            return NvrtcLibrary.versionHere();
        } catch (IOException e) {
            return Optional.empty(); // to compile will say what is wrong
        }
    }

    @Override
    public byte[] compile(CudaSource source, String architecture) {
        NvrtcLibrary library = library(source.entry() + " for " + architecture);
        int device = CudaArchitecture.number(architecture);
        Optional<Integer> real = library.machineCodeFor(device);
        if (real.isPresent()) {
            return compile(source, library, "sm_" + real.get());
        }
        int portable = library.portableCodeFor(device)
                .orElseThrow(() -> new NoCudaCompilerException(
                        "Cannot compile kernel " + source.entry() + " for " + architecture
                                + ": NVRTC " + library.version() + " begins at sm_"
                                + library.architectures().get(0)
                                + "; set " + DeviceSettings.NVRTC_PATH + " to an earlier one",
                        null));
        return compile(source, library, "compute_" + portable);
    }

    private static NvrtcLibrary library(String kernel) {
        try {
            return NvrtcLibrary.load();
        } catch (IllegalStateException e) {
            throw new NoCudaCompilerException("Cannot compile kernel " + kernel + ": " + e.getMessage(), e.getCause());
        }
    }

    private static byte[] compile(CudaSource source, NvrtcLibrary library, String target) {
        try {
            return compiled(source, library, target);
        } catch (NoKernelException e) {
            throw e;
        } catch (IllegalStateException e) { // a call that NVRTC failed
            throw new NoKernelException(
                    "Cannot compile kernel " + source.entry() + " for " + target + ": " + e.getMessage(), e);
        }
    }

    private static byte[] compiled(CudaSource source, NvrtcLibrary library, String target) {
        nvrtcProgram program = new nvrtcProgram();
        NvrtcLibrary.check(
                JNvrtc.nvrtcCreateProgram(program, source.text(), source.entry() + ".cu", 0, null, null),
                "nvrtcCreateProgram");
        try {
            String[] options = Stream.concat(CudaSource.OPTIONS.stream(), Stream.of("--gpu-architecture=" + target))
                    .toArray(String[]::new);
            int result = JNvrtc.nvrtcCompileProgram(program, options.length, options);
            if (result != nvrtcResult.NVRTC_SUCCESS) {
                throw new CudaCompileException(source, target, "NVRTC " + library.version(), log(program, result));
            }
            return target.startsWith("sm_") ? cubin(program) : ptx(program);
        } finally {
            NvrtcLibrary.check(JNvrtc.nvrtcDestroyProgram(program), "nvrtcDestroyProgram");
        }
    }

    private static String log(nvrtcProgram program, int result) {
        String[] log = new String[1];
        int got = JNvrtc.nvrtcGetProgramLog(program, log);
        String text = got == nvrtcResult.NVRTC_SUCCESS && log[0] != null ? log[0] : "";
        return nvrtcResult.stringFor(result) + System.lineSeparator() + text;
    }

    private static byte[] cubin(nvrtcProgram program) {
        long[] size = new long[1];
        NvrtcLibrary.check(JNvrtc.nvrtcGetCUBINSize(program, size), "nvrtcGetCUBINSize");
        byte[] image = new byte[Math.toIntExact(size[0])];
        NvrtcLibrary.check(JNvrtc.nvrtcGetCUBIN(program, image), "nvrtcGetCUBIN");
        return image;
    }

    /** The text with a zero behind it, by which a driver finds its end. */
    private static byte[] ptx(nvrtcProgram program) {
        String[] text = new String[1];
        NvrtcLibrary.check(JNvrtc.nvrtcGetPTX(program, text), "nvrtcGetPTX");
        return (text[0] + '\0').getBytes(StandardCharsets.US_ASCII);
    }
}
