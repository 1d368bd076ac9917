package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KernelCacheTest {
    /** A specification of its own for each number. */
    private static KernelSpec spec(int number) {
        Expr x = Input.of("x", DType.FLOAT32, Shape.of(4));
        return PointwiseProgram.of(Expr.apply(Op.of("pow"), x, Expr.literal(number)))
                .spec();
    }

    @Test
    void aKernelIsCompiledOnceAndThenFound() {
        KernelCache<String> cache = new KernelCache<>(4, KernelSpec::toString);
        String first = cache.kernel(spec(1));
        assertThat(cache.kernel(spec(1))).isSameAs(first);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertThat(cache.stats().hits()).isEqualTo(1);
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void aThreadCountsWhatItCompiledItself() throws InterruptedException {
        KernelCache<String> cache = new KernelCache<>(4, KernelSpec::toString);
        long before = KernelCache.compiledByThisThread();
        Thread other = new Thread(() -> cache.kernel(spec(1)));
        other.start();
        other.join();
        assertThat(KernelCache.compiledByThisThread()).isEqualTo(before);
        cache.kernel(spec(1));
        cache.kernel(spec(2));
        assertThat(KernelCache.compiledByThisThread()).isEqualTo(before + 1);
    }

    @Test
    void theLeastRecentlyUsedKernelGoesFirst() {
        List<String> compiled = new ArrayList<>();
        KernelCache<String> cache = new KernelCache<>(2, spec -> {
            compiled.add(spec.toString());
            return "";
        });
        cache.kernel(spec(1));
        cache.kernel(spec(2));
        cache.kernel(spec(1));
        cache.kernel(spec(3));
        cache.kernel(spec(1));
        cache.kernel(spec(2));
        assertThat(compiled)
                .containsExactly(spec(1).toString(), spec(2).toString(), spec(3).toString(), spec(2).toString());
        assertThat(cache.stats().size()).isEqualTo(2);
    }

    @Test
    void threadsThatAskTogetherShareOneCompilation() throws Exception {
        AtomicInteger compilations = new AtomicInteger();
        CountDownLatch asked = new CountDownLatch(8);
        KernelCache<Object> cache = new KernelCache<>(4, spec -> {
            compilations.incrementAndGet();
            await(asked);
            return new Object();
        });
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Object>> kernels = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                kernels.add(threads.submit(() -> {
                    asked.countDown();
                    return cache.kernel(spec(1));
                }));
            }
            Object first = kernels.get(0).get();
            for (Future<Object> kernel : kernels) {
                assertThat(kernel.get()).isSameAs(first);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(compilations).hasValue(1);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertThat(cache.stats().hits()).isEqualTo(7);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFailureIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        KernelCache<String> cache = new KernelCache<>(4, spec -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("no luck");
            }
            return "kernel";
        });
        assertThatThrownBy(() -> cache.kernel(spec(1))).hasMessage("no luck");
        assertThat(cache.kernel(spec(1))).isEqualTo("kernel");
    }

    @Test
    void aKernelKeepsWhatItsCompilationTook() {
        KernelCache<String> cache = new KernelCache<>(2, spec -> {
            pause();
            return "kernel";
        });
        assertThat(cache.compileTime(spec(1))).isEmpty();
        cache.kernel(spec(1));
        assertThat(cache.compileTime(spec(1)))
                .get()
                .satisfies(time -> assertThat(time).isGreaterThanOrEqualTo(Duration.ofMillis(2)));
        assertThat(cache.stats().describe())
                .startsWith("kernel cache: 1 of 2 kernels; hits 0, compilations 1, together ");
    }

    private static void pause() {
        long end = System.nanoTime() + Duration.ofMillis(2).toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void toAskForACompilationTimeIsNotToUseTheKernel() {
        KernelCache<String> cache = new KernelCache<>(2, KernelSpec::toString);
        cache.kernel(spec(1));
        cache.kernel(spec(2));
        assertThat(cache.compileTime(spec(1))).isPresent();
        cache.kernel(spec(3));
        assertThat(cache.compileTime(spec(1))).isEmpty();
        assertThat(cache.compileTime(spec(2))).isPresent();
        assertThat(cache.stats().hits()).isZero();
    }

    @Test
    void aSystemPropertySaysHowManyKernelsAreKept() {
        assertThat(KernelCache.configuredCapacity()).isEqualTo(512);
        try {
            System.setProperty("broadloom.kernel.cache", " 7 ");
            assertThat(KernelCache.configuredCapacity()).isEqualTo(7);
            for (String wrong : List.of("0", "-1", "many", "")) {
                System.setProperty("broadloom.kernel.cache", wrong);
                assertThatThrownBy(KernelCache::configuredCapacity)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "Cannot use broadloom.kernel.cache=" + wrong + ": give a whole number of at least 1");
            }
        } finally {
            System.clearProperty("broadloom.kernel.cache");
        }
    }
}
