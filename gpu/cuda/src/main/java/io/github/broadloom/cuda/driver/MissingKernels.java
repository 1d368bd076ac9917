package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NoKernelException;
import io.github.broadloom.device.GpuCounter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels that are not to be had on one device. What needs one the CPU computes, to the same bits: each such piece of work is counted, the log of the JVM says every reason once,
 * and {@code explain} says it, too.
 */
public final class MissingKernels {
    private static final Logger LOG = LoggerFactory.getLogger(MissingKernels.class);
    private static final int CAPACITY = 512;

    /** So many reasons are told; whoever has more has read enough. */
    private static final int MOST_TOLD = 100;

    /** What was said, by reason. Guarded by itself. */
    private static final Map<String, String> TOLD = new LinkedHashMap<>();

    private final Map<CudaSource, NoKernelException> missing =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<CudaSource, NoKernelException> eldest) {
                    return size() > CAPACITY;
                }
            });

    MissingKernels() {}

    /** What the driver refuses it refuses again: the machine code stays what it is. */
    private static final class RefusedByDriver extends NoKernelException {
        private static final long serialVersionUID = 1;

        RefusedByDriver(String sentence, Throwable cause) {
            super(sentence, cause);
        }

        /** The same refusal, for another caller, whose stack it has. */
        RefusedByDriver again() {
            return new RefusedByDriver(sentence(), this);
        }
    }

    /** What kept kernels away in this JVM, on any device: a sentence for each reason, the first first. */
    public static List<String> told() {
        synchronized (TOLD) {
            return List.copyOf(TOLD.values());
        }
    }

    /** Compiles, loads and starts a kernel, unless the driver has refused it before. */
    void start(CudaSource source, Runnable start) {
        if (missing.get(source) instanceof RefusedByDriver known) {
            throw known.again();
        }
        try {
            start.run();
            if (!missing.isEmpty()) {
                missing.remove(source);
            }
        } catch (NoKernelException e) {
            missing.put(source, e);
            throw e;
        } catch (CudaException e) {
            if (!e.refusesKernel()) {
                throw e;
            }
            NoKernelException refused =
                    new RefusedByDriver("Cannot load kernel " + source.entry() + ": " + e.getMessage(), e);
            missing.put(source, refused);
            throw refused;
        }
    }

    /** Why the first of some kernels was not to be had; empty where none was asked for in vain. */
    public Optional<String> reason(List<CudaSource> sources) {
        for (CudaSource source : sources) {
            NoKernelException known = missing.get(source);
            if (known != null) {
                return Optional.of(known.sentence());
            }
        }
        return Optional.empty();
    }

    /** What is computed there, or, for want of a kernel, here. */
    public static <T> T orElse(Supplier<T> there, Supplier<T> here) {
        try {
            return there.get();
        } catch (NoKernelException e) {
            GpuCounter.ON_CPU_FOR_KERNELS.add(1);
            tell(e);
            return here.get();
        }
    }

    private static void tell(NoKernelException e) {
        synchronized (TOLD) {
            if (TOLD.size() == MOST_TOLD || TOLD.putIfAbsent(e.reason(), e.sentence()) != null) {
                return;
            }
        }
        LOG.warn("{}; the CPU computes in its stead", e.sentence());
        LOG.debug("A kernel is not to be had", e);
    }
}
