package io.github.broadloom.cuda;

import static jcuda.driver.JCudaDriver.cuCtxGetCurrent;
import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDeviceGetCount;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRelease;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuInit;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemFreeHost;
import static jcuda.driver.JCudaDriver.cuMemHostAlloc;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;
import static jcuda.driver.JCudaDriver.cuModuleUnload;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NativeLibraries;
import io.github.broadloom.cuda.driver.DevicePointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stand-in driver does what a driver does, and sees what it is there to see. */
@WithFakeGpu
class FakeDriverTest {
    private static final int THREADS = 64;
    private static final String PARAMETERS = "struct Par { const float* in; float* out; unsigned n; };\n";
    private static final CudaSource TWICE = new CudaSource("twice", PARAMETERS + """
                    extern "C" __global__ void twice(const Par p) {
                      unsigned i = blockIdx.x * 64u + threadIdx.x;
                      if (i < p.n) __stcs(p.out + i, 2.0f * __ldcs(p.in + i));
                    }
                    """);
    private static final CudaSource UNGUARDED = new CudaSource("unguarded", PARAMETERS + """
                    extern "C" __global__ void unguarded(const Par p) {
                      unsigned i = blockIdx.x * 64u + threadIdx.x;
                      __stcs(p.out + i, __ldcs(p.in + i));
                    }
                    """);
    private static final CudaSource PACKETS = new CudaSource("packets", PARAMETERS + """
                    extern "C" __global__ void packets(const Par p) {
                      float4 four = __ldcs((const float4*) (p.in + threadIdx.x));
                      __stcs(p.out + threadIdx.x, four.x);
                    }
                    """);
    private static final CudaSource REVERSE_AND_SUM = new CudaSource("reverse_and_sum", PARAMETERS + """
                    extern "C" __global__ void reverse_and_sum(const Par p) {
                      __shared__ float tile[64];
                      tile[threadIdx.x] = __ldg(p.in + threadIdx.x);
                      __syncthreads();
                      float value = tile[63 - threadIdx.x];
                      for (int streams = 16; streams > 0; streams /= 2) value += __shfl_xor_sync(0xffffffffu, value, streams);
                      __stcs(p.out + threadIdx.x, value);
                    }
                    """);
    private static final CudaSource UNWRITTEN_SHARED = new CudaSource("unwritten_shared", PARAMETERS + """
                    extern "C" __global__ void unwritten_shared(const Par p) {
                      __shared__ float tile[64];
                      float before = tile[threadIdx.x];
                      tile[threadIdx.x] = 1.0f;
                      __stcs(p.out + threadIdx.x, before);
                    }
                    """);
    private static final CudaSource STRAY_BARRIER = new CudaSource("stray_barrier", PARAMETERS + """
                    extern "C" __global__ void stray_barrier(const Par p) {
                      if (threadIdx.x % 2 == 0) __syncthreads();
                      else __syncwarp();
                    }
                    """);

    private final FakeDriver driver = FakeDriver.load();
    private final CUstream stream = new CUstream();

    @BeforeAll
    static void placeJCuda() throws IOException {
        NativeLibraries.loadDriver();
        HostCompiler.compileAll(List.of(TWICE, UNGUARDED, PACKETS, REVERSE_AND_SUM, UNWRITTEN_SHARED, STRAY_BARRIER));
        JCudaDriver.setExceptionsEnabled(false);
    }

    @BeforeEach
    void start() {
        CUcontext context = new CUcontext();
        assertThat(cuInit(0)).isZero();
        assertThat(cuDevicePrimaryCtxRetain(context, new CUdevice())).isZero();
        assertThat(cuCtxSetCurrent(context)).isZero();
        assertThat(cuStreamCreate(stream, 0)).isZero();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(cuStreamDestroy(stream)).isZero();
        assertThat(cuDevicePrimaryCtxRelease(new CUdevice())).isZero();
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    /** Runs a kernel over 0, 1, 2, … and gives what it wrote, or CUDA's error as the only value. */
    private float[] run(CudaSource source, int elements, int misalignedBytes) {
        CUmodule module = new CUmodule();
        CUfunction function = new CUfunction();
        assertThat(cuModuleLoadData(module, new HostCompiler().compile(source, "sm_90")))
                .isZero();
        assertThat(cuModuleGetFunction(function, module, source.entry())).isZero();
        DevicePointer in = new DevicePointer();
        DevicePointer out = new DevicePointer();
        assertThat(cuMemAlloc(in, 4L * elements)).isZero();
        assertThat(cuMemAlloc(out, 4L * elements)).isZero();
        ByteBuffer host = ByteBuffer.allocateDirect(4 * elements).order(ByteOrder.nativeOrder());
        for (int i = 0; i < elements; i++) {
            host.putFloat(4 * i, i);
        }
        assertThat(cuMemcpyHtoDAsync(in, Pointer.to(host), 4L * elements, stream))
                .isZero();
        ByteBuffer parameters = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
        parameters
                .putLong(0, in.address() + misalignedBytes)
                .putLong(8, out.address())
                .putInt(16, elements);
        Pointer kernelParameters = Pointer.to(Pointer.to(parameters));
        int blocks = (elements + THREADS - 1) / THREADS;
        int error = cuLaunchKernel(function, blocks, 1, 1, THREADS, 1, 1, 0, stream, kernelParameters, null);
        float[] result = {error};
        if (error == 0) {
            assertThat(cuMemcpyDtoHAsync(Pointer.to(host), out, 4L * elements, stream))
                    .isZero();
            assertThat(cuStreamSynchronize(stream)).isZero();
            result = new float[elements];
            host.asFloatBuffer().get(result);
        }
        assertThat(cuMemFree(in)).isZero();
        assertThat(cuMemFree(out)).isZero();
        assertThat(cuModuleUnload(module)).isZero();
        return result;
    }

    private void expectViolation(String... parts) {
        assertThat(driver.violations()).isPositive();
        assertThat(driver.message()).contains(parts);
        driver.reset();
    }

    @Test
    void aKernelRunsOverEveryElement() {
        float[] result = run(TWICE, 100, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(result[i]).isEqualTo(2 * i);
        }
        assertThat(driver.launchedThreads()).isEqualTo(128);
        assertThat(driver.calls("cuLaunchKernel")).isOne();
    }

    @Test
    void threadsMeetAtBarriersAndExchangeWithinTheirWarp() {
        float[] result = run(REVERSE_AND_SUM, 64, 0);
        // The first warp reads 63, 62, …, 32 and each of its streams has their sum; the second 31, …, 0.
        assertThat(result[0]).isEqualTo(32 * (63 + 32) / 2);
        assertThat(result[31]).isEqualTo(32 * (63 + 32) / 2);
        assertThat(result[32]).isEqualTo(32 * 31 / 2);
    }

    @Test
    void aLoadBehindAnAllocationIsSeen() {
        assertThat(run(UNGUARDED, 100, 0)).containsExactly(FakeDriver.ILLEGAL_ADDRESS);
        expectViolation("unguarded, block 1, thread 36: a load of 4 bytes", "is outside every allocation");
    }

    @Test
    void aMisalignedPacketIsSeen() {
        assertThat(run(PACKETS, 128, 4)).containsExactly(716);
        expectViolation("packets, block 0, thread 0: a load of 16 bytes", "is not aligned");
    }

    @Test
    void sharedMemoryIsPoisonedBeforeEveryBlock() {
        float[] result = run(UNWRITTEN_SHARED, 64, 0);
        assertThat(Float.floatToRawIntBits(result[5])).isEqualTo(0xA5A5A5A5);
    }

    @Test
    void threadsThatWaitForEverEndTheLaunch() {
        assertThat(run(STRAY_BARRIER, 64, 0)).containsExactly(719);
        expectViolation("stray_barrier, block 0", "wait for others that never come");
    }

    @Test
    void freshMemoryIsPoisonedAndItsBoundsHold() {
        CUdeviceptr memory = new CUdeviceptr();
        assertThat(cuMemAlloc(memory, 10)).isZero();
        ByteBuffer host = ByteBuffer.allocateDirect(16);
        assertThat(cuMemcpyDtoHAsync(Pointer.to(host), memory, 10, stream)).isZero();
        assertThat(host.get(9)).isEqualTo((byte) 0xA5);
        assertThat(cuMemcpyDtoHAsync(Pointer.to(host), memory, 11, stream)).isEqualTo(FakeDriver.INVALID_VALUE);
        expectViolation("cuMemcpyDtoHAsync of 11 bytes", "leaves the allocation");
        assertThat(cuMemFree(memory)).isZero();
        assertThat(cuMemFree(memory)).isEqualTo(FakeDriver.INVALID_VALUE);
        expectViolation("which is no allocation");
    }

    @Test
    void memoryEndsAtTheLimit() {
        driver.memoryLimit(1000);
        CUdeviceptr first = new CUdeviceptr();
        assertThat(cuMemAlloc(first, 600)).isZero();
        assertThat(cuMemAlloc(new CUdeviceptr(), 600)).isEqualTo(FakeDriver.OUT_OF_MEMORY);
        assertThat(driver.outstanding().bytes()).isEqualTo(600);
        assertThat(cuMemFree(first)).isZero();
    }

    @Test
    void theCallThatShallFailFailsAndNoOther() {
        int[] count = new int[1];
        driver.failCall("cuDeviceGetCount", 2, FakeDriver.UNKNOWN);
        assertThat(cuDeviceGetCount(count)).isZero();
        assertThat(cuInit(0)).isZero();
        assertThat(cuDeviceGetCount(count)).isEqualTo(FakeDriver.UNKNOWN);
        assertThat(cuDeviceGetCount(count)).isZero();
        assertThat(driver.faultsRaised()).isOne();
        driver.failCall(1, FakeDriver.INVALID_VALUE);
        assertThat(cuInit(0)).isEqualTo(FakeDriver.INVALID_VALUE);
        driver.failCalls("cuInit", 1, 2, FakeDriver.UNKNOWN);
        assertThat(cuInit(0)).isEqualTo(FakeDriver.UNKNOWN);
        assertThat(cuInit(0)).isEqualTo(FakeDriver.UNKNOWN);
        assertThat(cuInit(0)).isZero();
    }

    @Test
    void deferredWorkRunsWhenItIsWaitedFor() {
        driver.deferWork();
        CUdeviceptr memory = new CUdeviceptr();
        Pointer host = new Pointer();
        assertThat(cuMemAlloc(memory, 8)).isZero();
        assertThat(cuMemHostAlloc(host, 8, 0)).isZero();
        ByteBuffer pinned = host.getByteBuffer(0, 8).order(ByteOrder.nativeOrder());
        pinned.putLong(0, 7);
        assertThat(cuMemcpyHtoDAsync(memory, host, 8, stream)).isZero();
        pinned.putLong(0, 8);
        assertThat(cuMemcpyDtoHAsync(host, memory, 8, stream)).isZero();
        ByteBuffer pageable = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
        CUdeviceptr other = new CUdeviceptr();
        assertThat(cuMemAlloc(other, 8)).isZero();
        assertThat(cuMemcpyHtoDAsync(other, Pointer.to(pageable), 8, stream)).isZero();
        pinned.putLong(0, 9);
        pageable.putLong(0, 10);
        assertThat(cuStreamSynchronize(stream)).isZero();
        // What stood there when the copies ran, and not when they were asked for.
        assertThat(pinned.getLong(0)).isEqualTo(9);
        assertThat(cuMemcpyDtoHAsync(Pointer.to(pageable), other, 8, stream)).isZero();
        assertThat(pageable.getLong(0)).isEqualTo(10);
        assertThat(cuMemFree(other)).isZero();
        assertThat(cuMemFree(memory)).isZero();
        assertThat(cuMemFreeHost(host)).isZero();
    }

    @Test
    void workOnAThreadWithoutAContextIsSeen() throws InterruptedException {
        int[] error = new int[1];
        Thread stranger = new Thread(() -> error[0] = cuMemAlloc(new CUdeviceptr(), 8));
        stranger.start();
        stranger.join();
        assertThat(error[0]).isEqualTo(201);
        expectViolation("cuMemAlloc on a thread without a context");
    }

    /** With another device's context current than the one that they belong to. */
    @Test
    void whatBelongsToAnotherDeviceIsSeen() {
        driver.devices(2);
        CUdevice second = new CUdevice();
        CUcontext there = retained(second);
        CUcontext here = new CUcontext();
        assertThat(cuCtxGetCurrent(here)).isZero();
        CUmodule module = new CUmodule();
        CUfunction function = new CUfunction();
        CUdeviceptr memory = new CUdeviceptr();
        CUevent event = new CUevent();
        assertThat(cuModuleLoadData(module, new HostCompiler().compile(TWICE, "sm_90")))
                .isZero();
        assertThat(cuModuleGetFunction(function, module, TWICE.entry())).isZero();
        assertThat(cuMemAlloc(memory, 8)).isZero();
        assertThat(cuEventCreate(event, 0)).isZero();
        assertThat(cuEventRecord(event, stream)).isZero();

        assertThat(cuCtxSetCurrent(there)).isZero();
        CUstream streamThere = new CUstream();
        assertThat(cuStreamCreate(streamThere, 0)).isZero();
        Pointer parameters = Pointer.to(Pointer.to(ByteBuffer.allocateDirect(24)));
        ByteBuffer host = ByteBuffer.allocateDirect(8);
        Map<String, IntSupplier> misuses = new LinkedHashMap<>();
        misuses.put("cuStreamSynchronize of a stream", () -> cuStreamSynchronize(stream));
        misuses.put("cuStreamDestroy of a stream", () -> cuStreamDestroy(stream));
        misuses.put("cuEventRecord of an event", () -> cuEventRecord(event, streamThere));
        misuses.put("cuEventDestroy of an event", () -> cuEventDestroy(event));
        misuses.put("cuMemFree of memory", () -> cuMemFree(memory));
        misuses.put("cuMemcpyHtoDAsync of memory", () -> cuMemcpyHtoDAsync(memory, Pointer.to(host), 8, streamThere));
        misuses.put("cuMemcpyDtoHAsync of a stream", () -> cuMemcpyDtoHAsync(Pointer.to(host), memory, 8, stream));
        misuses.put("cuModuleGetFunction of a module", () -> cuModuleGetFunction(new CUfunction(), module, "twice"));
        misuses.put("cuModuleUnload of a module", () -> cuModuleUnload(module));
        misuses.put(
                "cuLaunchKernel of a module",
                () -> cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, streamThere, parameters, null));
        misuses.forEach((told, misuse) -> {
            assertThat(misuse.getAsInt()).as(told).isNotZero();
            assertThat(driver.violations()).as(told).isOne();
            assertThat(driver.message()).isEqualTo(told + " of device 0 while device 1 is current");
            driver.reset();
        });
        assertThat(cuEventSynchronize(event))
                .as("CUDA lets events be waited for anywhere")
                .isZero();

        assertThat(cuStreamDestroy(streamThere)).isZero();
        assertThat(cuCtxSetCurrent(here)).isZero();
        assertThat(cuEventDestroy(event)).isZero();
        assertThat(cuMemFree(memory)).isZero();
        assertThat(cuModuleUnload(module)).isZero();
        assertThat(cuDevicePrimaryCtxRelease(second)).isZero();
    }

    /** Looks up the second device and retains its context. */
    private static CUcontext retained(CUdevice second) {
        CUcontext context = new CUcontext();
        assertThat(cuDeviceGet(second, 1)).isZero();
        assertThat(cuDevicePrimaryCtxRetain(context, second)).isZero();
        return context;
    }

    @Test
    void aKernelReachesNoMemoryOfAnotherDevice() {
        driver.devices(2);
        CUdevice second = new CUdevice();
        CUcontext there = retained(second);
        CUcontext here = new CUcontext();
        assertThat(cuCtxGetCurrent(here)).isZero();
        assertThat(cuCtxSetCurrent(there)).isZero();
        DevicePointer memory = new DevicePointer();
        assertThat(cuMemAlloc(memory, 4)).isZero();
        assertThat(cuCtxSetCurrent(here)).isZero();

        CUmodule module = new CUmodule();
        CUfunction function = new CUfunction();
        assertThat(cuModuleLoadData(module, new HostCompiler().compile(TWICE, "sm_90")))
                .isZero();
        assertThat(cuModuleGetFunction(function, module, TWICE.entry())).isZero();
        ByteBuffer parameters = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
        parameters.putLong(0, memory.address()).putLong(8, memory.address()).putInt(16, 1);
        int error =
                cuLaunchKernel(function, 1, 1, 1, THREADS, 1, 1, 0, stream, Pointer.to(Pointer.to(parameters)), null);
        assertThat(error).isEqualTo(FakeDriver.ILLEGAL_ADDRESS);
        expectViolation("twice, block 0, thread 0: a load of 4 bytes", "is outside every allocation");
        assertThat(cuModuleUnload(module)).isZero();

        assertThat(cuCtxSetCurrent(there)).isZero();
        assertThat(cuMemFree(memory)).isZero();
        assertThat(cuCtxSetCurrent(here)).isZero();
        assertThat(cuDevicePrimaryCtxRelease(second)).isZero();
    }

    @Test
    void aFaultThatStaysFailsEveryLaterCallOnItsDevice() {
        driver.devices(2);
        CUdeviceptr memory = new CUdeviceptr();
        assertThat(cuMemAlloc(memory, 8)).isZero();
        driver.failForGood("cuStreamSynchronize", 1, FakeDriver.ILLEGAL_ADDRESS);
        assertThat(cuStreamSynchronize(stream)).isEqualTo(FakeDriver.ILLEGAL_ADDRESS);
        assertThat(cuMemAlloc(new CUdeviceptr(), 8)).isEqualTo(FakeDriver.ILLEGAL_ADDRESS);
        assertThat(cuMemFree(memory)).as("it is freed all the same").isEqualTo(FakeDriver.ILLEGAL_ADDRESS);

        CUdevice second = new CUdevice();
        CUcontext here = new CUcontext();
        assertThat(cuCtxGetCurrent(here)).isZero();
        CUcontext there = retained(second);
        assertThat(cuCtxSetCurrent(there)).isZero();
        assertThat(cuMemAlloc(memory, 8)).isZero();
        assertThat(cuMemFree(memory)).isZero();
        assertThat(cuCtxSetCurrent(here)).isZero();
        assertThat(cuStreamSynchronize(stream)).isEqualTo(FakeDriver.ILLEGAL_ADDRESS);
        assertThat(cuDevicePrimaryCtxRelease(second)).isZero();
        driver.failNothing();
        assertThat(cuStreamSynchronize(stream)).isZero();
    }
}
