package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.cache.CachedChunks;
import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.exec.cache.StoredRDD;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.metrics.RunMeter;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.exec.write.Writing;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/** Runs plans on a Spark context. */
public final class PlanRunner {
    private final SparkContext context;
    private final JobRunner jobs;
    /** The chunks that Spark keeps for the action alone. */
    private final List<RDD<Block>> kept = new ArrayList<>();

    public PlanRunner(SparkContext context) {
        this.context = context;
        this.jobs = new JobRunner(context);
    }

    SparkContext context() {
        return context;
    }

    JobRunner jobs() {
        return jobs;
    }

    public RunMeter meter() {
        return jobs.meter();
    }

    /** The value of a plan with one result, on the driver. */
    public Tensor collect(Plan plan, String title) {
        return collectAll(plan, title).get(0);
    }

    /** The values of all results on the driver, in their order. */
    public List<Tensor> collectAll(Plan plan, String title) {
        return run(plan, title, PlanRun::values);
    }

    /** The distinct values of a plan whose last stage leaves chunks, on the driver. */
    public UniqueValues unique(Plan plan, String title) {
        return run(plan, title, PlanRun::unique);
    }

    /** The distinct rows of a plan whose last stage leaves chunks of whole rows, and which of them each row is, on the driver. */
    public UniqueValues uniqueRows(Plan plan, String title) {
        return run(plan, title, PlanRun::uniqueRows);
    }

    private <R> R run(Plan plan, String title, Function<PlanRun, R> body) {
        try (PlanRun run = new PlanRun(this, plan, title)) {
            return jobs.described(title, () -> body.apply(run));
        } finally {
            letGo();
        }
    }

    private void letGo() {
        CleanUp.run(() -> kept.forEach(CleanUp::drop));
        kept.clear();
    }

    /** Lets Spark keep chunks until the action is over, where it does not keep them anyway. */
    void keep(RDD<Block> rdd) {
        if (rdd.getStorageLevel().equals(StorageLevel.NONE())) {
            kept.add(CachedChunks.persist(rdd, StorageLevel.MEMORY_AND_DISK()));
        }
    }

    /** The chunks of a source, which are made, and kept, where they are not yet. */
    RDD<Block> chunks(CachedSource source) {
        return source.chunks(jobs, plan -> chunks(plan, source.name()));
    }

    /** The chunks of a plan whose last stage leaves chunks; what it broadcasts lives as long as they do. */
    private RDD<Block> chunks(Plan plan, String title) {
        return jobs.described("broadloom: cache " + title, () -> new PlanRun(this, plan, title).chunks());
    }

    /**
     * The chunks of a plan whose last stage leaves chunks, where they lie if they lie on the cluster; what it broadcasts lives as long as they do, and so do the chunks that are kept
     * because tasks read them more than once: Spark drops them when nobody refers to them any more.
     */
    public RDD<Block> leave(Plan plan, String title) {
        boolean left = false;
        try {
            RDD<Block> chunks = jobs.described(title, () -> new PlanRun(this, plan, title).leave());
            left = true;
            return chunks;
        } finally {
            if (!left) {
                letGo();
            }
        }
    }

    /** Makes the checkpoint that a source wants; where that fails, it wants none any more. */
    public void checkpoint(CachedSource source) {
        boolean made = false;
        try {
            chunks(source);
            made = true;
        } finally {
            letGo();
            if (!made) {
                source.forgoCheckpoint();
            }
        }
    }

    /** Computes chunks that Spark keeps, where it does not have them. */
    public void compute(CachedSource source, String title) {
        try {
            RDD<Block> chunks = chunks(source);
            jobs.described(title, () -> {
                compute(chunks);
                return chunks;
            });
        } finally {
            letGo();
        }
    }

    /** One job that computes what Spark is to keep, where it does not have it. */
    void compute(RDD<Block> kept) {
        jobs.run(
                StoredRDD.of(kept),
                (task, blocks) -> blocks.next().tensor().numel(),
                (chunk, count) -> {},
                chunk -> Long.BYTES);
    }

    /**
     * Writes the plan's value: everything under the sink's final name, or nothing.
     *
     * @throws IOException with one sentence, where the target may not be written or writing fails
     */
    public void write(Plan plan, Sink sink, String title) throws IOException {
        write(List.of(new Writing(plan, List.of(sink))), title);
    }

    /**
     * Writes values of several plans. They get their final names, one after the other, when all of them are there: where anything fails before, none of them is.
     *
     * @throws IOException with one sentence, where a target may not be written or writing fails
     */
    public void write(List<Writing> writings, String title) throws IOException {
        Pending pending = new Pending();
        try {
            for (Writing writing : writings) {
                for (Sink sink : writing.sinks()) {
                    pending.begin(sink);
                }
            }
            List<List<Part>> parts = new ArrayList<>();
            for (Writing writing : writings) {
                parts.addAll(written(writing, title));
            }
            for (List<Part> each : parts) {
                pending.commitNext(each);
            }
        } catch (UncheckedIOException e) {
            pending.abort(e);
            throw new IOException(pending.sentence(e.getCause() == null ? e : e.getCause()), e);
        } catch (FileSystemException e) {
            pending.abort(e);
            throw e;
        } catch (IOException e) {
            pending.abort(e);
            if (Failures.isInterruption(e)) {
                throw new CancellationException("Cannot finish " + title + ": its thread was interrupted");
            }
            throw new IOException(pending.sentence(e), e);
        } catch (RuntimeException | Error e) {
            pending.abort(e);
            throw e;
        } finally {
            letGo();
        }
    }

    private List<List<Part>> written(Writing writing, String title) {
        try (PlanRun run = new PlanRun(this, writing.plan(), title)) {
            return jobs.described(
                    title,
                    () -> run.write(writing.sinks().stream().map(Sink::writer).toList()));
        }
    }

    /** Sinks that have begun, and have not got their final names yet. */
    private static final class Pending {
        private final Deque<Sink> begun = new ArrayDeque<>();
        private final List<String> done = new ArrayList<>();

        void begin(Sink sink) throws IOException {
            begun.add(sink);
            sink.begin();
        }

        void commitNext(List<Part> parts) throws IOException {
            begun.element().commit(parts);
            done.add(begun.remove().name());
        }

        /** Clears away what was written; what goes wrong with that must not hide the failure. */
        void abort(Throwable failure) {
            for (Sink sink : begun) {
                CleanUp.run(() -> {
                    try {
                        sink.abort();
                    } catch (IOException | RuntimeException e) {
                        failure.addSuppressed(e);
                    }
                });
            }
        }

        String sentence(Throwable cause) {
            String message = Failures.sentence(cause);
            String own = message.startsWith("Cannot ") ? message : Sink.sentence(begun, message);
            return done.isEmpty() ? own : own + "; " + String.join(", ", done) + " had been written before that";
        }
    }
}
