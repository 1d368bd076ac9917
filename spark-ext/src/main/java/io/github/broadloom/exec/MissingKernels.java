package io.github.broadloom.exec;

import io.github.broadloom.device.GpuCounter;
import io.github.broadloom.device.cuda.NoCudaCompilerException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chunks, and batches of rows, that a GPU cannot compute for want of a kernel: each is counted, and the first one's reason is in the log of its JVM. */
public final class MissingKernels {
    private static final Logger LOG = LoggerFactory.getLogger(MissingKernels.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private MissingKernels() {}

    /** A chunk goes to the CPU. */
    public static void tell(NoCudaCompilerException reason) {
        GpuCounter.ON_CPU_FOR_KERNELS.add(1);
        if (TOLD.compareAndSet(false, true)) {
            LOG.warn("The CPU computes chunks for want of kernels: {}", reason.getMessage());
        }
    }
}
