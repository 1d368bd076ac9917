package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Races of a thread that reads or writes a tensor with one that releases it at a random moment, takes the same pages from the pool and writes something
 * else to them. Either the first gets what it gets without a race, or it is told that the tensor was released; and what the second wrote stays.
 *
 * @param <T> a tensor, or what stands for one
 */
public final class ReleaseRaces<T> {
    private static final List<String> TOLD = List.of("were released; keep it until the last use", "Spark dropped it");
    private static final int POISON = 91;
    private static final int WARM_UPS = 5;

    private final Supplier<T> operand;
    private final Reading<T> reading;
    private final Function<T, Tensor> release;
    private final Random random;
    private final ExecutorService releaser = Executors.newSingleThreadExecutor();

    /** What a thread does with a tensor, and what it gets. */
    @FunctionalInterface
    public interface Reading<T> {
        Object of(T tensor) throws Exception;
    }

    private ReleaseRaces(Supplier<T> operand, Reading<T> reading, Function<T, Tensor> release, long seed) {
        this.operand = operand;
        this.reading = reading;
        this.release = release;
        this.random = new Random(seed);
    }

    /**
     * Runs races for a tensor.
     *
     * @param operand a fresh tensor, of the same elements each time
     * @param reading gives something that {@link Arrays#deepEquals} can compare
     */
    public static void run(int races, long seed, Supplier<Tensor> operand, Reading<Tensor> reading) throws Exception {
        run(races, seed, operand, reading, tensor -> {
            tensor.release();
            return poisoned(tensor.dtype(), tensor.shape(), tensor.device());
        });
    }

    /**
     * Runs races.
     *
     * @param release gives the memory of an operand back, and takes it for something {@linkplain #poisoned else}
     */
    public static <T> void run(
            int races, long seed, Supplier<T> operand, Reading<T> reading, Function<T, Tensor> release)
            throws Exception {
        ReleaseRaces<T> all = new ReleaseRaces<>(operand, reading, release, seed);
        try {
            all.run(races);
        } finally {
            all.releaser.shutdownNow();
        }
    }

    /** Memory that was released a moment ago, if somebody did just that, with other elements. */
    public static Tensor poisoned(DType dtype, Shape shape, Device device) {
        return Tensors.empty(dtype, shape, device).fill_(POISON);
    }

    private void run(int races) throws Exception {
        Object expected = null;
        long tookNanos = 0;
        for (int i = 0; i < WARM_UPS; i++) {
            T calm = operand.get();
            long start = System.nanoTime();
            expected = reading.of(calm);
            tookNanos = System.nanoTime() - start;
            release.apply(calm).release();
        }
        for (int race = 0; race < races; race++) {
            race(race, expected, (long) (tookNanos * 1.2 * random.nextDouble()));
        }
    }

    private void race(int race, Object expected, long delayNanos) throws Exception {
        T raced = operand.get();
        long start = System.nanoTime();
        Future<Tensor> poisoned = releaser.submit(() -> {
            while (System.nanoTime() < start + delayNanos) {
                LockSupport.parkNanos(1);
            }
            return release.apply(raced);
        });
        try {
            Object got = reading.of(raced);
            assertThat(Arrays.deepEquals(new Object[] {got}, new Object[] {expected}))
                    .as("race %d: the value of a tensor that was released meanwhile is that of the tensor", race)
                    .isTrue();
        } catch (Exception e) {
            assertThat(messages(e))
                    .as("race %d", race)
                    .anyMatch(message -> TOLD.stream().anyMatch(message::contains));
        } finally {
            Tensor others = poisoned.get();
            boolean isIntact = IntStream.of(others.to(DType.INT32).toIntArray()).allMatch(value -> value == POISON);
            assertThat(isIntact)
                    .as("race %d: nothing is written to memory that is others' by now", race)
                    .isTrue();
            others.release();
        }
    }

    private static List<String> messages(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause)
                .map(cause -> String.valueOf(cause.getMessage()))
                .toList();
    }
}
