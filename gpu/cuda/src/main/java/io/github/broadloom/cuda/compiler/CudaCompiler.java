package io.github.broadloom.cuda.compiler;

import io.github.broadloom.cuda.code.CudaSource;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Makes machine code of CUDA C. NVRTC does it where nothing else is installed as a service; tests on machines without a GPU install
 * a host compiler. Called from several threads at once.
 */
public interface CudaCompiler {
    /**
     * The image of one kernel, as a driver loads it: a cubin.
     *
     * @param architecture of the device, as {@code sm_90}
     * @throws NoCudaCompilerException where the compiler is missing, saying where it was looked for
     * @throws CudaCompileException where it refuses the source: an error of this library, with the log and the source
     */
    byte[] compile(CudaSource source, String architecture);

    /**
     * Whose images these are, in letters and digits: those of one name may stand for each other, also in another process and on another machine.
     * Empty, the default: they may not, so they are never kept on disk.
     */
    default Optional<String> name() {
        return Optional.empty();
    }

    /** Which version of it compiles here, as {@code 12.9}; empty where it is missing. */
    default Optional<String> version() {
        return Optional.empty();
    }

    /** NVIDIA's compiler, loaded when it compiles first; it may be missing. */
    static CudaCompiler nvrtc() {
        return new NvrtcCompiler();
    }

    /** The compiler of this JVM: the first that {@link ServiceLoader} finds, else {@link #nvrtc}. */
    static CudaCompiler installed() {
        return ServiceLoader.load(CudaCompiler.class, CudaCompiler.class.getClassLoader())
                .findFirst()
                .orElseGet(CudaCompiler::nvrtc);
    }
}
