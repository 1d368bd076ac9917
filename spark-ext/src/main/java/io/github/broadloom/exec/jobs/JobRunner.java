package io.github.broadloom.exec.jobs;

import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.metrics.MeteredFunction;
import io.github.broadloom.exec.metrics.MetricAccumulators;
import io.github.broadloom.exec.metrics.RunListener;
import io.github.broadloom.exec.metrics.RunMeter;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.apache.spark.JobExecutionStatus;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkJobInfo;
import org.apache.spark.SparkStatusTracker;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.Option;
import scala.concurrent.ExecutionContext;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** Runs Spark jobs under a name of ours and hands over each task's result as it arrives. */
public final class JobRunner {
    private static final String DESCRIPTION = "spark.job.description";
    private static final String SHORT_CALL_SITE = "callSite.short";
    /** What Spark adds to a result. */
    private static final long RESULT_OVERHEAD_BYTES = 4096;
    /**
     * What the results of one job may come to: in local mode a result lies on this heap several times over, as the task's, as Spark's
     * block, and as what is read from that.
     */
    private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory() / 16;

    private final SparkContext context;
    private final RunMeter meter = new RunMeter();
    private int depth;

    public interface ResultHandler<U> {
        void accept(int chunk, U result);
    }

    public JobRunner(SparkContext context) {
        this.context = context;
    }

    public RunMeter meter() {
        return meter;
    }

    /** Does something under a job description and a call site, which the Spark UI shows; the user's own come back after it. */
    public <R> R described(String description, java.util.function.Supplier<R> body) {
        @Nullable String before = context.getLocalProperty(DESCRIPTION);
        @Nullable String siteBefore = context.getLocalProperty(SHORT_CALL_SITE);
        context.setJobDescription(description);
        context.setCallSite(description);
        try {
            return depth++ == 0 ? metered(body) : body.get();
        } catch (Error failure) {
            throw Failures.unchecked(failure);
        } catch (Exception failure) { // Scala declares nothing: Spark's own is checked
            boolean interrupted = failure instanceof InterruptedException || Failures.isInterruption(failure);
            throw interrupted ? interrupted() : Failures.unchecked(failure);
        } finally {
            depth--;
            context.setLocalProperty(DESCRIPTION, before);
            context.setLocalProperty(SHORT_CALL_SITE, siteBefore);
        }
    }

    /** Spark stops waiting, but the tasks would go on. */
    private CancellationException interrupted() {
        context.cancelJobsWithTag(meter.tag());
        Thread.currentThread().interrupt();
        return new CancellationException(
                "Cannot finish " + context.getLocalProperty(DESCRIPTION) + ": its thread was interrupted");
    }

    /** Waits until every task of the jobs that ran here has ended: those of a job that failed or was cancelled go on for a while. */
    public void awaitTasks() {
        SparkStatusTracker tracker = context.statusTracker();
        CleanUp.await(() -> {
            int[] ids =
                    tracker.getJobIdsForTag(meter.tag()); // Spark's listeners run behind: the job may not be there yet
            return ids.length > 0 && Arrays.stream(ids).allMatch(job -> isOver(tracker, job));
        });
    }

    private static boolean isOver(SparkStatusTracker tracker, int id) {
        Option<SparkJobInfo> job = tracker.getJobInfo(id);
        return job.isEmpty()
                || job.get().status() != JobExecutionStatus.RUNNING
                        && Arrays.stream(job.get().stageIds())
                                .mapToObj(tracker::getStageInfo)
                                .allMatch(
                                        stage -> stage.isEmpty() || stage.get().numActiveTasks() == 0);
    }

    private <R> R metered(java.util.function.Supplier<R> body) {
        long start = System.nanoTime();
        RunListener.watch(context, meter);
        context.addJobTag(meter.tag());
        TaskMeter driver = TaskMeter.ofDriver();
        try {
            return body.get();
        } finally {
            meter.over(driver.end(), System.nanoTime() - start);
            context.removeJobTag(meter.tag());
        }
    }

    /**
     * One job, or several where their results together would pass {@code spark.driver.maxResultSize} or fill the heap. What the handler does is done by this
     * thread while the job runs; where it throws, the job is cancelled.
     *
     * @param resultBytes about how large the result of each task is
     */
    public <T, U> void run(
            RDD<T> rdd, MeteredFunction.Body<T, U> task, ResultHandler<U> handler, IntToLongFunction resultBytes) {
        List<Integer> all = IntStream.range(0, rdd.partitions().length).boxed().toList();
        run(rdd, all, task, handler, resultBytes);
    }

    /** As {@link #run(RDD, MeteredFunction.Body, ResultHandler, IntToLongFunction)}, of the chunks with these numbers. */
    public <T, U> void run(
            RDD<T> rdd,
            List<Integer> chunks,
            MeteredFunction.Body<T, U> task,
            ResultHandler<U> handler,
            IntToLongFunction resultBytes) {
        MeteredFunction<T, U> metered = new MeteredFunction<>(MetricAccumulators.register(context), task);
        for (int first = 0; first < chunks.size(); ) {
            List<Integer> wave = wave(chunks.subList(first, chunks.size()), resultBytes);
            runWave(rdd, wave, metered, handler);
            meter.ran();
            first += wave.size();
        }
    }

    /**
     * One job. Spark hands over the results in the thread of its scheduler, for which every job of the application waits: from there they go into a queue, which no more
     * than the results of one wave can fill.
     */
    private <T, U> void runWave(RDD<T> rdd, List<Integer> wave, MeteredFunction<T, U> task, ResultHandler<U> handler) {
        BlockingQueue<Runnable> arrived = new LinkedBlockingQueue<>();
        Runnable over = () -> {};
        // Spark counts the results of a job from 0.
        Function2<Object, U, BoxedUnit> enqueue = (index, result) -> {
            arrived.add(() -> handler.accept(wave.get((Integer) index), result));
            return BoxedUnit.UNIT;
        };
        SimpleFutureAction<BoxedUnit> job =
                context.submitJob(rdd, task, Scala.seq(new ArrayList<Object>(wave)), enqueue, () -> BoxedUnit.UNIT);
        job.onComplete(end -> arrived.add(over), ExecutionContext.fromExecutor(Runnable::run));
        boolean taken = false;
        try {
            for (Runnable next = arrived.take(); next != over; next = arrived.take()) {
                next.run();
            }
            taken = true;
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            if (!taken) {
                job.cancel();
            }
        }
        Try<BoxedUnit> end = job.value().get();
        if (end.isFailure()) {
            throw Failures.unchecked(end.failed().get());
        }
        rdd.doCheckpoint(); // as Spark's own actions do, for an RDD of the user's below this one
    }

    /** Where Spark ends a job for what its results come to; 0 where it does not. */
    private static long mostOfJob(SparkContext context) {
        return context.getConf().getSizeAsBytes("spark.driver.maxResultSize", "1g");
    }

    /** What the partial results of a fold may come to, so that its one job brings them all. */
    public static long partialBytes(SparkContext context) {
        return Math.min(Settings.DEFAULT_DRIVER_BYTES, resultBytes(context));
    }

    private static long resultBytes(SparkContext context) {
        long limit = mostOfJob(context);
        return limit > 0 ? Math.min(limit, HEAP_BYTES) : HEAP_BYTES;
    }

    private List<Integer> wave(List<Integer> chunks, IntToLongFunction resultBytes) {
        long limit = mostOfJob(context);
        long together = resultBytes(context);
        List<Integer> wave = new ArrayList<>();
        long bytes = 0;
        for (int chunk : chunks) {
            long next = resultBytes.applyAsLong(chunk) + RESULT_OVERHEAD_BYTES;
            if (limit > 0 && next > limit) {
                throw new IllegalStateException("Cannot collect chunk " + chunk + ": its " + Figures.bytes(next)
                        + " pass spark.driver.maxResultSize (" + Figures.bytes(limit)
                        + "); raise that setting, or make the chunks smaller");
            }
            bytes += next;
            if (bytes > together && !wave.isEmpty()) {
                break;
            }
            wave.add(chunk);
        }
        return wave;
    }
}
