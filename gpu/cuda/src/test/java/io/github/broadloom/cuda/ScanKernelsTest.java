package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Running sums and products on a GPU have the bits that they have on the CPU. */
@WithFakeGpu
class ScanKernelsTest {
    private static final Device CUDA = Device.of("cuda");

    private final Random random = new Random(28);
    private final List<LazyTensor> cases = new ArrayList<>();

    private void add(String expression, Tensor x) {
        cases.add(LazyTensor.eval(expression, Map.of("x", x)));
    }

    /** Of such different sizes that every order of additions has its own bits. */
    private Tensor random(DType dtype, long... shape) {
        Shape of = Shape.of(shape);
        List<Object> values = LongStream.range(0, of.numel())
                .mapToObj(i -> dtype.isFloatingPoint()
                        ? (Object) (double) (float) Math.scalb(random.nextGaussian(), random.nextInt(30) - 15)
                        : (Object) (long) random.nextInt(100))
                .toList();
        return Tensors.fromStorageValues(dtype, Layout.contiguous(of), values);
    }

    private void runAll() {
        Rehearsal.compile(() -> cases.forEach(one -> one.compute(CUDA)));
        List<String> wrong = new ArrayList<>();
        for (LazyTensor one : cases) {
            if (!one.compute(CUDA).values().equals(one.compute().values())) {
                wrong.add(one.expr() + " of " + one.shape());
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(cases)
                .allSatisfy(one ->
                        assertThat(one.explain(CUDA, Backend.Detail.PLAN)).contains("kernel bl_scan"));
    }

    @Test
    void linesOfAnyLength() {
        for (int length : new int[] {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 1000, 4096, 4097, 9001}) {
            add("cumsum(x, 0)", random(DType.FLOAT32, length));
            add("cumsum(x, 1)", random(DType.FLOAT32, 3, length));
            add("cumsum(x, 0)", random(DType.FLOAT64, length, 3));
            add("cumprod(x, 1)", random(DType.FLOAT32, 2, length, 2));
        }
        runAll();
    }

    @Test
    void linesAlongMemoryAreTurnedInSharedMemory() {
        for (long[] shape : new long[][] {{300, 70}, {33, 513}, {1, 70_001}, {600, 3}, {2, 3, 1040}}) {
            add("cumsum(x, -1)", random(DType.FLOAT32, shape));
            add("cumprod(x * 0.5, -1)", random(DType.FLOAT64, shape));
            add("cumsum(x - x.mean(-1, keepdim=True), -1)", random(DType.FLOAT16, shape));
            add("cumsum(x // 7, -1)", random(DType.INT32, shape));
            add("cumsum(x > 50, -1)", random(DType.UINT8, shape));
        }
        runAll();
        String shared = "__shared__ acc rows";
        assertThat(cases)
                .allSatisfy(one ->
                        assertThat(one.explain(CUDA, Backend.Detail.SOURCE)).contains(shared));
        Tensor x = random(DType.FLOAT32, 70, 90).to(CUDA);
        assertThat(LazyTensor.eval("cumsum(x[:, ::2], 1)", Map.of("x", x)).explain(CUDA, Backend.Detail.SOURCE))
                .doesNotContain(shared);
    }

    @Test
    void everyDtypeAndProgramsAndViews() {
        for (DType dtype : DType.values()) {
            Tensor x = random(dtype, 200, 5);
            add("cumsum(x, 0)", x);
            add("cumprod(x, 1)", x);
            add("cumsum(x.t(), 1)", x);
            add("cumsum(x[:, 1:3], 0) * 2", x);
        }
        Tensor x = random(DType.FLOAT32, 70, 5);
        add("cumsum((x - x.mean(0)) ** 2, 0) / 3 + x", x);
        add("cumsum(cumsum(x, 0), 1)", x);
        add("cat([cumsum(x, 0), x], 1)", x);
        runAll();
    }

    @Test
    void zerosKeepTheirSignsAndNothingIsNothing() {
        Tensor zeros = Tensors.full(Shape.of(130), -0.0, DType.FLOAT32);
        add("cumsum(x, 0)", zeros);
        add("cumprod(x, 0)", zeros);
        add("cumsum(x, 0)", Tensors.of(Float.NaN, 1f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY));
        runAll();
        cases.clear();
        LazyTensor nothing = LazyTensor.eval("cumsum(x, 0)", Map.of("x", random(DType.FLOAT32, 0, 3)));
        assertThat(nothing.compute(CUDA).shape()).isEqualTo(Shape.of(0, 3));
    }

    @Test
    void aTensorOfTheDeviceStaysThere() {
        Tensor x = random(DType.FLOAT32, 300, 4);
        Tensor there = x.to(CUDA);
        long up = FakeDriver.load().calls("cuMemcpyHtoDAsync");
        Tensor result = LazyTensor.of(there).cumsum(0).compute();
        assertThat(FakeDriver.load().calls("cuMemcpyHtoDAsync")).isEqualTo(up);
        assertThat(result.to(Device.CPU).values())
                .isEqualTo(LazyTensor.of(x).cumsum(0).compute().values());
    }
}
