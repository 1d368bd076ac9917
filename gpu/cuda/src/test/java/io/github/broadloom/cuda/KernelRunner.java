package io.github.broadloom.cuda;

import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRelease;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuInit;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;
import static jcuda.driver.JCudaDriver.cuModuleUnload;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NativeLibraries;
import io.github.broadloom.cuda.driver.DevicePointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** Runs generated kernels on the {@link FakeDriver}, with no more host code than that takes. */
public final class KernelRunner implements AutoCloseable {
    private final CUstream stream = new CUstream();
    private final Map<CudaSource, CUfunction> functions = new HashMap<>();
    private final List<CUmodule> modules = new ArrayList<>();

    /** What a kernel left behind. */
    public record Outcome(byte[] result, boolean error) {}

    /** In a test that is {@link WithFakeGpu}. */
    public KernelRunner() {
        try {
            NativeLibraries.loadDriver();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JCudaDriver.setExceptionsEnabled(false);
        CUcontext context = new CUcontext();
        check(cuInit(0));
        check(cuDevicePrimaryCtxRetain(context, new CUdevice()));
        check(cuCtxSetCurrent(context));
        check(cuStreamCreate(stream, 0));
    }

    /**
     * Runs launches one after another.
     *
     * @param numbers of the program
     * @param operands the bytes of each operand's buffer
     * @param shifts how far the first byte of each operand's, and of the result's, address is behind an aligned one
     * @param scratchBytes the size of the scratch memory, 0 for none
     */
    public Outcome run(
            List<CudaLaunch> launches,
            List<Object> numbers,
            List<byte[]> operands,
            int[] shifts,
            int resultBytes,
            long scratchBytes) {
        List<DevicePointer> buffers = new ArrayList<>();
        long[] addresses = new long[operands.size() + 3];
        for (int k = 0; k < operands.size(); k++) {
            addresses[k] = allocate(buffers, shifts[k], operands.get(k).length);
            upload(addresses[k], operands.get(k));
        }
        int result = operands.size();
        addresses[result] = allocate(buffers, shifts[result], resultBytes);
        addresses[result + 1] = allocate(buffers, 0, Integer.BYTES);
        upload(addresses[result + 1], new byte[Integer.BYTES]);
        addresses[result + 2] = scratchBytes == 0 ? 0 : allocate(buffers, 0, scratchBytes);
        launches.forEach(launch -> launch(launch, addresses, numbers));
        byte[] bytes = download(addresses[result], resultBytes);
        boolean error = download(addresses[result + 1], Integer.BYTES)[0] != 0;
        buffers.forEach(buffer -> check(cuMemFree(buffer)));
        return new Outcome(bytes, error);
    }

    private static long allocate(List<DevicePointer> buffers, int shift, long bytes) {
        DevicePointer buffer = new DevicePointer();
        check(cuMemAlloc(buffer, Math.max(1, shift + bytes)));
        buffers.add(buffer);
        return buffer.address() + shift;
    }

    private void upload(long address, byte[] bytes) {
        if (bytes.length > 0) {
            ByteBuffer host = ByteBuffer.allocateDirect(bytes.length);
            host.put(0, bytes);
            check(cuMemcpyHtoDAsync(new DevicePointer(address), Pointer.to(host), bytes.length, stream));
            check(cuStreamSynchronize(stream));
        }
    }

    private byte[] download(long address, int bytes) {
        byte[] result = new byte[bytes];
        if (bytes > 0) {
            ByteBuffer host = ByteBuffer.allocateDirect(bytes);
            check(cuMemcpyDtoHAsync(Pointer.to(host), new DevicePointer(address), bytes, stream));
            check(cuStreamSynchronize(stream));
            host.get(result);
        }
        return result;
    }

    private void launch(CudaLaunch launch, long[] addresses, List<Object> numbers) {
        byte[] bytes = launch.parameters(addresses, numbers);
        ByteBuffer parameters = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder());
        parameters.put(0, bytes);
        Pointer argument = Pointer.to(Pointer.to(parameters));
        CUfunction function = functions.computeIfAbsent(launch.source(), this::load);
        check(cuLaunchKernel(function, launch.blocks(), 1, 1, launch.threads(), 1, 1, 0, stream, argument, null));
        check(cuStreamSynchronize(stream));
    }

    private CUfunction load(CudaSource source) {
        CUmodule module = new CUmodule();
        CUfunction function = new CUfunction();
        check(cuModuleLoadData(module, new HostCompiler().compile(source, "sm_90")));
        modules.add(module);
        check(cuModuleGetFunction(function, module, source.entry()));
        return function;
    }

    private static void check(int status) {
        if (status != 0) {
            throw new AssertionError(
                    "CUDA error " + status + ": " + FakeDriver.load().message());
        }
    }

    @Override
    public void close() {
        modules.forEach(module -> check(cuModuleUnload(module)));
        check(cuStreamDestroy(stream));
        check(cuDevicePrimaryCtxRelease(new CUdevice()));
    }
}
