package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Races of a thread that reads a tensor with one that releases it at a random moment, takes the same pages from the pool and writes something else to them.
 * Either the reader gets what it gets without a race, or it is told that the tensor was released.
 */
public final class ReleaseRaces {
    private static final String TOLD = "were released; keep it until the last use";
    private static final byte POISON = 0x5b;

    private final Supplier<Tensor> operand;
    private final Reading reading;
    private final Random random;
    private final ExecutorService releaser = Executors.newSingleThreadExecutor();
    private int right;
    private int told;

    /** What a thread does with a tensor, and what it gets. */
    public interface Reading {
        Object of(Tensor tensor) throws Exception;
    }

    private ReleaseRaces(Supplier<Tensor> operand, Reading reading, long seed) {
        this.operand = operand;
        this.reading = reading;
        this.random = new Random(seed);
    }

    /**
     * Runs races.
     *
     * @param operand a fresh tensor, of the same elements each time
     * @param reading gives something that {@link Arrays#deepEquals} can compare
     */
    public static void run(int races, long seed, Supplier<Tensor> operand, Reading reading) throws Exception {
        ReleaseRaces all = new ReleaseRaces(operand, reading, seed);
        try {
            all.run(races);
        } finally {
            all.releaser.shutdownNow();
        }
    }

    private void run(int races) throws Exception {
        Object expected = null;
        long tookNanos = 0;
        for (int i = 0; i < 5; i++) { // the last of them is warm
            Tensor calm = operand.get();
            long start = System.nanoTime();
            expected = reading.of(calm);
            tookNanos = System.nanoTime() - start;
            calm.release();
        }
        for (int race = 0; race < races; race++) {
            race(race, expected, (long) (tookNanos * 1.2 * random.nextDouble()));
        }
        assertThat(right + told).isEqualTo(races);
    }

    private void race(int race, Object expected, long delayNanos) throws Exception {
        Tensor raced = operand.get();
        long start = System.nanoTime();
        Future<Tensor> poisoned = releaser.submit(() -> releaseAndPoison(raced, start + delayNanos));
        try {
            Object got = reading.of(raced);
            assertThat(Arrays.deepEquals(new Object[] {got}, new Object[] {expected}))
                    .as("race %d: the value of a tensor that was released meanwhile is that of the tensor", race)
                    .isTrue();
            right++;
        } catch (Exception e) {
            assertThat(messages(e)).as("race %d", race).anyMatch(message -> message.contains(TOLD));
            told++;
        } finally {
            result(poisoned).release();
        }
    }

    private static Tensor releaseAndPoison(Tensor tensor, long atNanos) {
        while (System.nanoTime() < atNanos) {
            LockSupport.parkNanos(1);
        }
        tensor.release();
        Tensor poison = Tensors.empty(tensor.dtype(), tensor.shape());
        RawMemory.fill(poison.address(), poison.storage().sizeBytes(), POISON);
        return poison;
    }

    private static List<String> messages(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause)
                .map(cause -> String.valueOf(cause.getMessage()))
                .toList();
    }

    private static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
