package io.github.broadloom.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * The calls of the CUDA driver that this library makes, one method each, under CUDA's names: a call that fails is a {@link
 * CudaException}. Addresses are plain numbers. But for the first group, the calling thread must have a {@linkplain #ctxSetCurrent
 * context}.
 */
public final class CudaDriver {
    private static final int PCI_BUS_ID_LENGTH = 32;

    private CudaDriver() {}

    private static void check(String call, int status) {
        if (status != CUresult.CUDA_SUCCESS) {
            throw failure(call, status);
        }
    }

    /** The call, and CUDA's name, number and words: "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2, out of memory)". */
    private static CudaException failure(String call, int status) {
        String[] name = {null};
        String[] words = {null};
        JCudaDriver.cuGetErrorName(status, name);
        JCudaDriver.cuGetErrorString(status, words);
        String error = name[0] == null // a driver that is older than the error
                ? "CUDA error " + status
                : name[0] + " (" + status + ", " + words[0] + ")";
        return new CudaException(call + ": " + error, status);
    }

    // The driver and its devices.

    public static void init() {
        check("cuInit", JCudaDriver.cuInit(0));
    }

    /** The CUDA version of the driver, as 12060 for 12.6. */
    static int driverVersion() {
        int[] version = new int[1];
        check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return version[0];
    }

    static int deviceCount() {
        int[] count = new int[1];
        check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
        return count[0];
    }

    static CUdevice device(int ordinal) {
        CUdevice device = new CUdevice();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        return device;
    }

    static String deviceName(CUdevice device) {
        byte[] name = new byte[256];
        check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device));
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new String(name, 0, length, StandardCharsets.UTF_8);
    }

    /** Its bus, as {@code 0000:65:00.0}: {@code nvidia-smi} numbers devices in this order. */
    static String devicePciBusId(CUdevice device) {
        String[] id = new String[1];
        check("cuDeviceGetPCIBusId", JCudaDriver.cuDeviceGetPCIBusId(id, PCI_BUS_ID_LENGTH, device));
        return id[0];
    }

    /** As {@code nvidia-smi} writes it: {@code GPU-8932f937-d72c-4106-c12f-20bd9faed9f6}; of a part of a GPU, that of the GPU. */
    static String deviceUuid(CUdevice device) {
        CUuuid uuid = new CUuuid();
        check("cuDeviceGetUuid", JCudaDriver.cuDeviceGetUuid(uuid, device));
        ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes);
        return "GPU-" + new UUID(bytes.getLong(), bytes.getLong());
    }

    static long deviceTotalMem(CUdevice device) {
        long[] bytes = new long[1];
        check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(bytes, device));
        return bytes[0];
    }

    /** @param attribute a constant of {@link CUdevice_attribute} */
    static int deviceAttribute(int attribute, CUdevice device) {
        int[] value = new int[1];
        check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    // Contexts.

    static CUcontext primaryCtxRetain(CUdevice device) {
        CUcontext context = new CUcontext();
        check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        return context;
    }

    static void primaryCtxRelease(CUdevice device) {
        check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
    }

    static void ctxSetCurrent(CUcontext context) {
        check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    /** The context of the calling thread, which may be none. */
    static CUcontext ctxGetCurrent() {
        CUcontext context = new CUcontext();
        check("cuCtxGetCurrent", JCudaDriver.cuCtxGetCurrent(context));
        return context;
    }

    // Memory.

    record MemoryInfo(long freeBytes, long totalBytes) {}

    static MemoryInfo memGetInfo() {
        long[] free = new long[1];
        long[] total = new long[1];
        check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return new MemoryInfo(free[0], total[0]);
    }

    static long memAlloc(long bytes) {
        DevicePointer memory = new DevicePointer();
        check("cuMemAlloc", JCudaDriver.cuMemAlloc(memory, bytes));
        return memory.address();
    }

    static void memFree(long address) {
        check("cuMemFree", JCudaDriver.cuMemFree(new DevicePointer(address)));
    }

    /** Pinned memory of this JVM, which every context may use. */
    static long memHostAlloc(long bytes) {
        HostPointer memory = new HostPointer();
        check("cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(memory, bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE));
        return memory.address();
    }

    static void memFreeHost(long address) {
        check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(new HostPointer(address)));
    }

    /** Pins memory of this JVM where it is, for every context. */
    static void memHostRegister(long address, long bytes) {
        int status =
                JCudaDriver.cuMemHostRegister(new HostPointer(address), bytes, JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE);
        check("cuMemHostRegister", status);
    }

    static void memHostUnregister(long address) {
        check("cuMemHostUnregister", JCudaDriver.cuMemHostUnregister(new HostPointer(address)));
    }

    static void memcpyHtoDAsync(long device, long host, long bytes, CUstream stream) {
        CUdeviceptr to = new DevicePointer(device);
        check("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(to, new HostPointer(host), bytes, stream));
    }

    static void memcpyDtoHAsync(long host, long device, long bytes, CUstream stream) {
        CUdeviceptr from = new DevicePointer(device);
        check("cuMemcpyDtoHAsync", JCudaDriver.cuMemcpyDtoHAsync(new HostPointer(host), from, bytes, stream));
    }

    static void memcpyDtoDAsync(long to, long from, long bytes, CUstream stream) {
        CUdeviceptr target = new DevicePointer(to);
        check("cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(target, new DevicePointer(from), bytes, stream));
    }

    static void memsetD8Async(long address, byte value, long bytes, CUstream stream) {
        check("cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(new DevicePointer(address), value, bytes, stream));
    }

    // Streams and events.

    /** A stream that does not wait for the default one. */
    static CUstream streamCreate() {
        CUstream stream = new CUstream();
        check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
        return stream;
    }

    static void streamDestroy(CUstream stream) {
        check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
    }

    static void streamSynchronize(CUstream stream) {
        check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
    }

    static CUevent eventCreate() {
        CUevent event = new CUevent();
        check("cuEventCreate", JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING));
        return event;
    }

    static void eventDestroy(CUevent event) {
        check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
    }

    static void eventRecord(CUevent event, CUstream stream) {
        check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
    }

    /** Whether what was in the stream before the event is done. */
    static boolean eventQuery(CUevent event) {
        int status = JCudaDriver.cuEventQuery(event);
        if (status == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        check("cuEventQuery", status);
        return true;
    }

    static void eventSynchronize(CUevent event) {
        check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(event));
    }

    // Kernels.

    static CUmodule moduleLoadData(byte[] image) {
        CUmodule module = new CUmodule();
        check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, image));
        return module;
    }

    static void moduleUnload(CUmodule module) {
        check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
    }

    static CUfunction moduleGetFunction(CUmodule module, String name) {
        CUfunction function = new CUfunction();
        check("cuModuleGetFunction", JCudaDriver.cuModuleGetFunction(function, module, name));
        return function;
    }

    /** @param parameters an array of the addresses of the parameters, off the heap */
    static void launchKernel(CUfunction function, int blocks, int threads, CUstream stream, Pointer parameters) {
        int status = JCudaDriver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, null);
        check("cuLaunchKernel", status);
    }
}
