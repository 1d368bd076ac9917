package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.tensor.Device;
import java.util.LinkedHashSet;
import java.util.Set;

/** Runs work with kernels that do nothing, to know those that it takes: g++ compiles many at a time far sooner than one after the other. */
public final class Rehearsal {
    private static final CudaSource NOTHING = new CudaSource(
            "nothing", "struct Par { unsigned long long p; };\nextern \"C\" __global__ void nothing(const Par p) {}\n");

    private Rehearsal() {}

    /**
     * Compiles the kernels that some work takes on the first GPU.
     *
     * @param work whose results do not count; failures are its own
     * @return how many kernels
     */
    public static int compile(Runnable work) {
        Set<CudaSource> kernels = kernels(work);
        HostCompiler.compileAll(kernels);
        return kernels.size();
    }

    /** The kernels that some work takes on the first GPU, in the order in which they run first. */
    public static Set<CudaSource> kernels(Runnable work) {
        Set<CudaSource> kernels = new LinkedHashSet<>();
        byte[] nothing = new HostCompiler().compileForAnyName(NOTHING);
        FakeGpus.closeAll();
        Gpus.resolve(Device.of("cuda")); // which starts the driver
        Gpus.open(0, (source, architecture) -> {
            synchronized (kernels) {
                kernels.add(source);
            }
            return nothing;
        });
        try {
            work.run();
        } finally {
            FakeGpus.closeAll();
        }
        return kernels;
    }
}
