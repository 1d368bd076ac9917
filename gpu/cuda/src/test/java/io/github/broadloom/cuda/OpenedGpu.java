package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaArgument;
import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NativeLibraries;
import io.github.broadloom.cuda.driver.CudaDriver;
import io.github.broadloom.cuda.driver.DeviceBlock;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.GpuStream;
import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test whose GPU is open while it runs, and holds nothing when it is closed. It is the second of two, and the thread of the test begins with the first. */
public abstract class OpenedGpu {
    private static final CudaSource TWICE_PLUS = new CudaSource("twice_plus", """
            struct Par { const float* a; const float* b; float* out; unsigned n; };
            extern "C" __global__ void twice_plus(const Par p) {
              unsigned i = (blockIdx.x * 256u + threadIdx.x) * 4;
              if (i + 4 <= p.n) {
                float4 a = __ldcs((const float4*) (p.a + i)), b = __ldcs((const float4*) (p.b + i));
                float4 sum = {2 * a.x + b.x, 2 * a.y + b.y, 2 * a.z + b.z, 2 * a.w + b.w};
                __stcs((float4*) (p.out + i), sum);
              } else {
                for (; i < p.n; i++) __stcs(p.out + i, 2 * __ldcs(p.a + i) + __ldcs(p.b + i));
              }
            }
            """);

    public final FakeDriver driver = FakeDriver.load();
    private Gpu opened;
    private Gpu other;

    @BeforeEach
    protected void open() throws Exception {
        NativeLibraries.loadDriver();
        CudaDriver.init();
        driver.devices(2);
        opened = Gpu.open(1, new HostCompiler()::compile);
        other = Gpu.open(0, new HostCompiler()::compile);
    }

    @AfterEach
    protected void close() {
        driver.failNothing();
        opened.close();
        other.close();
        assertThat(driver.outstanding()).isEqualTo(FakeDriver.Outstanding.NOTHING);
    }

    protected Gpu gpu() {
        return opened;
    }

    /** {@code 2 * a + b} of so many floats; slots 0 and 1 are the operands, 2 is the result. */
    protected static CudaLaunch twicePlus(int elements) {
        return new CudaLaunch(
                TWICE_PLUS,
                (elements + 1023) / 1024,
                256,
                List.of(
                        new CudaArgument.Address(0, 0),
                        new CudaArgument.Address(1, 0),
                        new CudaArgument.Address(2, 0),
                        new CudaArgument.Word(elements)));
    }

    /** Off-heap floats: {@code factor * i}. */
    protected static ByteBuffer floats(int elements, float factor) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4 * elements).order(ByteOrder.nativeOrder());
        for (int i = 0; i < elements; i++) {
            buffer.putFloat(4 * i, factor * i);
        }
        return buffer;
    }

    protected static long address(ByteBuffer buffer) {
        return RawMemory.addressOf(buffer);
    }

    /** The workload of the fault tests: uploads two operands, runs a kernel, downloads the result, releases all. */
    protected static ByteBuffer compute(Gpu gpu, int elements) {
        long bytes = 4L * elements;
        ByteBuffer a = floats(elements, 1);
        ByteBuffer b = floats(elements, 3);
        ByteBuffer result = floats(elements, 0);
        try (GpuStream stream = gpu.stream();
                Blocks blocks = new Blocks(stream)) {
            DeviceBlock left = blocks.take(bytes);
            DeviceBlock right = blocks.take(bytes);
            DeviceBlock out = blocks.take(bytes);
            stream.upload(address(a), left.address(), bytes);
            stream.upload(address(b), right.address(), bytes);
            RawMemory.fill(address(a), bytes, (byte) 99); // nobody needs them any more
            RawMemory.fill(address(b), bytes, (byte) 99);
            long[] addresses = {left.address(), right.address(), out.address()};
            stream.launch(twicePlus(elements), addresses, List.of(), () -> "double and add " + elements + " floats");
            stream.download(out.address(), address(result), bytes);
            return result;
        }
    }

    protected static void assertComputed(ByteBuffer result) {
        for (int i = 0; i < result.capacity() / 4; i++) {
            if (result.getFloat(4 * i) != 5f * i) {
                assertThat(result.getFloat(4 * i)).as("element " + i).isEqualTo(5f * i);
            }
        }
    }

    /** Releases what a test took. */
    public record Blocks(GpuStream stream, List<DeviceBlock> taken) implements AutoCloseable {
        public Blocks(GpuStream stream) {
            this(stream, new java.util.ArrayList<>());
        }

        public DeviceBlock take(long bytes) {
            DeviceBlock block = stream.allocate(bytes);
            taken.add(block);
            return block;
        }

        @Override
        public void close() {
            taken.forEach(DeviceBlock::release);
        }
    }
}
