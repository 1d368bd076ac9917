package io.github.broadloom.device.cuda;

import java.io.IOException;
import jcuda.runtime.JCuda;
import jcuda.runtime.cudaDeviceProp;
import org.jspecify.annotations.Nullable;

/**
 * What looking for GPUs found. Only the CUDA runtime is asked, which is linked into JCuda's native library and so answers
 * without a driver; the driver's own library would have to be there before it could say that it is not.
 *
 * @param devices how many GPUs the driver offers
 * @param reason why they cannot be used: one sentence without a full stop
 * @param cause the failure behind the reason, where there is one
 */
record CudaProbe(int devices, String reason, @Nullable Throwable cause) {
    private static final int SUCCESS = 0;
    private static final int INSUFFICIENT_DRIVER = 35;
    private static final int NO_DEVICE = 100;

    /** Looks. Never throws because something is missing. */
    static CudaProbe run() {
        try {
            NativeLibraries.place();
            return ask();
        } catch (LinkageError e) {
            return new CudaProbe(0, "JCuda's native library does not load on this machine", e);
        } catch (IOException e) {
            return new CudaProbe(0, "JCuda's native library cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private static CudaProbe ask() {
        JCuda.setExceptionsEnabled(false);
        int[] count = new int[1];
        int status = JCuda.cudaGetDeviceCount(count);
        if (status == INSUFFICIENT_DRIVER) {
            return new CudaProbe(0, "no NVIDIA driver on this machine (cudaGetDeviceCount: 35)", null);
        }
        if (status == NO_DEVICE || (status == SUCCESS && count[0] == 0)) {
            return new CudaProbe(0, "no NVIDIA GPU on this machine (cudaGetDeviceCount: " + status + ")", null);
        }
        if (status != SUCCESS) {
            return new CudaProbe(0, "the NVIDIA driver does not answer (cudaGetDeviceCount: " + status + ")", null);
        }
        return new CudaProbe(count[0], "this version has no CUDA kernels; found " + name(count[0]), null);
    }

    private static String name(int devices) {
        cudaDeviceProp properties = new cudaDeviceProp();
        if (JCuda.cudaGetDeviceProperties(properties, 0) != SUCCESS) {
            return devices + " GPUs";
        }
        String first = properties.getName();
        return devices == 1 ? first : first + " and " + (devices - 1) + " more";
    }
}
