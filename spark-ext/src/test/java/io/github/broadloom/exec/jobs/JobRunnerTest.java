package io.github.broadloom.exec.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.exec.metrics.MeteredFunction;
import io.github.broadloom.spark.Jobs;
import io.github.broadloom.spark.LocalSpark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;

/** What is done with the results of a job is the business of who wants them, and of no other job. */
class JobRunnerTest {
    private static final int TASKS = 7;
    /** For what would hang if it were wrong. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static SparkContext context() {
        return LocalSpark.session().sparkContext();
    }

    private static JavaSparkContext java() {
        return JavaSparkContext.fromSparkContext(context());
    }

    private static RDD<Integer> numbers(int count) {
        return java().parallelize(IntStream.range(0, count).boxed().toList(), count)
                .rdd();
    }

    private static final class Next implements MeteredFunction.Body<Integer, Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public Integer run(TaskContext context, Iterator<Integer> numbers) {
            return numbers.next() + 1;
        }
    }

    /** The first task has a result; the others go on until they are told to end. */
    private static final class Endless implements MeteredFunction.Body<Integer, Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public Integer run(TaskContext context, Iterator<Integer> numbers) {
            while (context.partitionId() > 0 && !context.isInterrupted()) {
                Thread.onSpinWait();
            }
            return 1;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, TASKS})
    void everyResultComesOnceWithItsNumber(int tasks) {
        JobRunner jobs = new JobRunner(context());
        List<List<Integer>> came = new ArrayList<>();
        jobs.described("numbers", () -> {
            jobs.run(numbers(tasks), new Next(), (chunk, next) -> came.add(List.of(chunk, next)), chunk -> 1);
            return came;
        });
        assertThat(came)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, tasks)
                        .mapToObj(chunk -> List.of(chunk, chunk + 1))
                        .toList());
    }

    @Test
    void aResultThatTakesItsTimeHoldsUpNoOtherJob() throws Exception {
        JobRunner jobs = new JobRunner(context());
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        RDD<Integer> numbers = numbers(TASKS);
        CompletableFuture<Thread> caller = CompletableFuture.supplyAsync(() -> jobs.described("slow", () -> {
            jobs.run(
                    numbers,
                    new Next(),
                    (chunk, next) -> {
                        threads.add(Thread.currentThread());
                        busy.countDown();
                        join(goOn);
                    },
                    chunk -> 1);
            return Thread.currentThread();
        }));
        join(busy);
        CompletableFuture<Long> other = CompletableFuture.supplyAsync(
                () -> java().parallelize(Collections.nCopies(5, 0), 2).count());
        try {
            assertThat(other).succeedsWithin(PATIENCE).isEqualTo(5L);
            assertThat(caller).isNotDone();
        } finally {
            goOn.countDown();
        }
        assertThat(threads).containsExactly(caller.join());
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whereAResultIsRefusedTheJobIsCancelled() throws Exception {
        JobRunner jobs = new JobRunner(context());
        RDD<Integer> numbers = numbers(TASKS);
        Jobs started = Jobs.listen();
        assertThatThrownBy(() -> jobs.described("refused", () -> {
                    jobs.run(
                            numbers,
                            new Endless(),
                            (chunk, result) -> {
                                throw new IllegalArgumentException("Cannot use " + result);
                            },
                            chunk -> 1);
                    return numbers;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use 1");
        try (started) {
            started.awaitNoTask();
        }
    }

    @Test
    void whoWaitsForResultsCanBeInterrupted() throws Exception {
        JobRunner jobs = new JobRunner(context());
        RDD<Integer> numbers = numbers(TASKS);
        Jobs started = Jobs.listen();
        assertThatThrownBy(() -> jobs.described("broadloom: endless", () -> {
                    jobs.run(
                            numbers,
                            new Endless(),
                            (chunk, result) -> Thread.currentThread().interrupt(),
                            chunk -> 1);
                    return numbers;
                }))
                .hasMessage("Cannot finish broadloom: endless: its thread was interrupted");
        assertThat(Thread.interrupted()).isTrue();
        try (started) {
            started.awaitNoTask();
        }
    }

    @Test
    void jobsAreInTheGroupOfTheirCaller() {
        JobRunner jobs = new JobRunner(context());
        RDD<Integer> numbers = numbers(2);
        context().setJobGroup("callers", "of a test", false);
        try {
            jobs.described("numbers", () -> {
                jobs.run(numbers, new Next(), (chunk, next) -> {}, chunk -> 1);
                return numbers;
            });
        } finally {
            context().clearJobGroup();
        }
        assertThat(context().statusTracker().getJobIdsForGroup("callers")).hasSize(1);
    }
}
