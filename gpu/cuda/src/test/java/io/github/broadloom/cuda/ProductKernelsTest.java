package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Matrix products on a GPU have the bits that they have on the CPU. */
@WithFakeGpu
class ProductKernelsTest {
    private static final Device CUDA = Device.of("cuda");

    private final Random random = new Random(22);
    private final List<LazyTensor> cases = new ArrayList<>();

    private void add(String expression, Tensor a, Tensor b) {
        cases.add(LazyTensor.eval(expression, Map.of("a", a, "b", b)));
    }

    private Tensor random(DType dtype, long... shape) {
        return WildValues.tensor(random, dtype, shape);
    }

    private void runAll() {
        Rehearsal.compile(() -> cases.forEach(one -> one.compute(CUDA)));
        List<String> wrong = new ArrayList<>();
        for (LazyTensor one : cases) {
            if (!one.compute(CUDA).values().equals(one.compute().values())) {
                wrong.add(one.expr() + " of " + one.expr().inputs());
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(cases)
                .allSatisfy(one -> assertThat(one.explain(CUDA, Backend.Detail.PLAN))
                        .contains("kernel bl_product")
                        .doesNotContain("on the CPU"));
    }

    @Test
    void everyDtype() {
        for (DType dtype : DType.values()) {
            if (dtype != DType.BOOL) {
                add("a @ b", random(dtype, 33, 300), random(dtype, 300, 18));
                add("a.t() @ b.t()", random(dtype, 20, 7), random(dtype, 70, 20));
                add("a @ b", random(dtype, 5, 600), random(dtype, 600));
            }
        }
        runAll();
    }

    @Test
    void panelsAreATreeHoweverManyThereAre() {
        for (int places : new int[] {1, 15, 16, 17, 255, 256, 257, 512, 700, 768, 1024, 1800, 2049}) {
            add("a @ b", random(DType.FLOAT32, 3, places), random(DType.FLOAT32, places, 6));
        }
        runAll();
    }

    @Test
    void tilesOfEverySizeAndTheirEdges() {
        add("a @ b", random(DType.FLOAT32, 1, 40), random(DType.FLOAT32, 40, 1));
        add("a @ b", random(DType.FLOAT32, 2, 40), random(DType.FLOAT32, 40, 260));
        add("a @ b", random(DType.FLOAT32, 130, 21), random(DType.FLOAT32, 21, 33));
        add("a @ b", random(DType.FLOAT32, 64, 130, 18), random(DType.FLOAT32, 64, 18, 33)); // 64 by 64
        add("a @ b", random(DType.FLOAT32, 64, 130, 300), random(DType.FLOAT32, 300, 70)); // 128 by 128
        runAll();
    }

    @Test
    @Tag("full")
    void theSumsOfAFullDeviceAreJoinedInOneKernel() {
        add("a @ b", random(DType.FLOAT32, 520, 2, 800), random(DType.FLOAT32, 520, 800, 2));
        runAll();
        assertThat(cases.get(0).explain(CUDA, Backend.Detail.PLAN)).doesNotContain("bl_join_products");
    }

    @Test
    void einsumOfAnyOrderOfDimensions() {
        Tensor a = random(DType.FLOAT32, 3, 4, 5, 6);
        add("einsum('bhqd,bhkd->bhqk', a, b)", a, random(DType.FLOAT32, 3, 4, 7, 6));
        add("einsum('bhqd,bkhd->qbkh', a, b)", a, random(DType.FLOAT32, 3, 7, 4, 6));
        add("einsum('bhqd,dqk->hkb', a, b)", a, random(DType.FLOAT32, 6, 5, 4));
        add("einsum('i,j->ij', a, b) + 1", random(DType.FLOAT32, 9), random(DType.FLOAT32, 8));
        add("(einsum('bi,bi->b', a, b) * 2).sum()", random(DType.FLOAT32, 50, 30), random(DType.FLOAT32, 50, 30));
        cases.remove(3); // is no sum of products, but products
        runAll();
    }

    @Test
    void whatStandsBelowAndAboveStaysOnTheDevice() {
        Tensor a = random(DType.FLOAT32, 40, 30);
        Tensor b = random(DType.FLOAT32, 30, 20);
        add("(a * 2 + 1) @ b - (a @ b).mean(0)", a, b);
        add("a[:, ::2] @ b[1::2] @ b.t()", a, b);
        add("softmax(a @ a.t(), -1) @ a + b[0, 0]", a, b);
        runAll();
    }

    @Test
    void oneNaNStandsForAllAndNothingIsZero() {
        Tensor a =
                Tensors.of(Float.NaN, 1f, Float.POSITIVE_INFINITY, 0f, -0f, 2f).view(2, 3);
        add("a @ b", a, Tensors.of(1f, 0f, -0f, 1f, 0f, Float.NEGATIVE_INFINITY).view(3, 2));
        add(
                "a @ b",
                Tensors.of(1e-30f, -1e-30f).view(1, 2),
                Tensors.of(1e-30f, 1e-30f).view(2, 1));
        runAll();
        LazyTensor none =
                LazyTensor.eval("a @ b", Map.of("a", random(DType.FLOAT32, 2, 0), "b", random(DType.FLOAT32, 0, 3)));
        assertThat(none.compute(CUDA).values()).containsOnly(0.0).hasSize(6);
    }

    @Test
    void aTensorOfTheDeviceStaysThere() {
        Tensor there = random(DType.FLOAT32, 30, 30).to(CUDA);
        FakeDriver driver = FakeDriver.load();
        long up = driver.calls("cuMemcpyHtoDAsync");
        long down = driver.calls("cuMemcpyDtoHAsync");
        Tensor result = LazyTensor.of(there).matmul(LazyTensor.of(there)).compute();
        assertThat(result.device().isCpu()).isFalse();
        assertThat(driver.calls("cuMemcpyHtoDAsync")).isEqualTo(up);
        assertThat(driver.calls("cuMemcpyDtoHAsync")).isEqualTo(down);
    }
}
