package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.compiler.NativeLibraries;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdevice;
import org.jspecify.annotations.Nullable;

/**
 * What looking for GPUs found. JCuda's library is bound to the driver's, {@code libcuda.so.1}, so a machine without a driver is one on
 * which it does not load; that is an answer here and no error.
 *
 * @param uuids of the GPUs that the driver offers, in its order
 * @param reason what was found, or why nothing can be used: one sentence without a full stop
 * @param cause the failure behind the reason, where there is one
 */
public record CudaProbe(
        List<String> uuids, String reason, @Nullable Throwable cause) {
    private static final int NO_DEVICE = 100;
    private static final int OLDEST_DRIVER = 12_000;
    private static final String NO_DRIVER = "no NVIDIA driver on this machine";

    public int devices() {
        return uuids.size();
    }

    private static CudaProbe nothing(String reason, @Nullable Throwable cause) {
        return new CudaProbe(List.of(), reason, cause);
    }

    static CudaProbe run() {
        try {
            NativeLibraries.loadDriver();
            return ask();
        } catch (LinkageError e) {
            return nothing(whyNotLoaded(e), e);
        } catch (FileNotFoundException e) {
            return nothing("JCuda is not on the class path (" + e.getMessage() + ")", e);
        } catch (IOException e) {
            return nothing("JCuda's native library cannot be unpacked: " + e.getMessage(), e);
        } catch (CudaException e) {
            boolean none = e.status() == NO_DEVICE;
            String what = none ? "no NVIDIA GPU on this machine" : "the NVIDIA driver does not answer";
            return nothing(what + " (" + e.getMessage() + ")", e);
        }
    }

    private static CudaProbe ask() {
        CudaDriver.init();
        int version = CudaDriver.driverVersion();
        if (version < OLDEST_DRIVER) {
            return nothing(
                    "the NVIDIA driver is for CUDA " + dotted(version) + "; 12.0 is the oldest that works", null);
        }
        int count = CudaDriver.deviceCount();
        if (count == 0) {
            return nothing("no NVIDIA GPU on this machine (the driver counts none)", null);
        }
        List<String> uuids = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            CUdevice device = CudaDriver.device(ordinal);
            uuids.add(CudaDriver.deviceUuid(device));
            found.add("%s (%d MiB, %s, %s)"
                    .formatted(
                            CudaDriver.deviceName(device),
                            CudaDriver.deviceTotalMem(device) >> 20,
                            CudaDriver.devicePciBusId(device),
                            uuids.get(ordinal)));
        }
        String order = count == 1 ? "" : ", numbered " + GpuAddress.order();
        return new CudaProbe(uuids, String.join(", ", found) + order + ", driver for CUDA " + dotted(version), null);
    }

    private static String dotted(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /** JCuda tells all it tried, in a page of text; the part that matters is named here. */
    private static String whyNotLoaded(LinkageError e) {
        StringBuilder told = new StringBuilder();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            told.append(cause.getMessage()).append(' ');
        }
        String text = told.toString().strip();
        if (text.contains("libcuda.so")) {
            return NO_DRIVER + " (libcuda.so.1 does not load)";
        }
        if (e instanceof NoClassDefFoundError && text.startsWith("jcuda/")) {
            return "JCuda is not on the class path";
        }
        boolean shortText = text.length() < 200 && text.indexOf('\n') < 0;
        return "JCuda's native library does not load on this machine" + (shortText ? ": " + text : "");
    }
}
