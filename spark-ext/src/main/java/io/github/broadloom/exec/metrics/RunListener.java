package io.github.broadloom.exec.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Hands what Spark tells of jobs, stages and tasks to the meters of the runs that they belong to: one for each Spark context. */
public final class RunListener extends SparkListener {
    private static final String TAGS = "spark.job.tags";
    /** Runs that are remembered: the events of older ones are over, or were dropped. */
    private static final int MOST_RUNS = 256;

    private static final Map<SparkContext, RunListener> LISTENERS = new WeakHashMap<>();

    private final Map<String, RunMeter> runs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RunMeter> eldest) {
            return size() > MOST_RUNS;
        }
    };
    private final Map<Integer, Job> jobs = new HashMap<>();
    private final Map<Integer, RunMeter> stages = new HashMap<>();

    private record Job(RunMeter meter, List<Integer> stages) {}

    private RunListener() {}

    /** Measures the jobs with the meter's tag from now on. */
    public static void watch(SparkContext context, RunMeter meter) {
        RunListener listener;
        synchronized (LISTENERS) {
            listener = LISTENERS.get(context);
            if (listener == null) {
                listener = new RunListener();
                context.addSparkListener(listener);
                LISTENERS.put(context, listener);
            }
        }
        synchronized (listener) {
            listener.runs.put(meter.tag(), meter);
        }
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart start) {
        RunMeter meter = meterOf(start.properties());
        if (meter == null) {
            return;
        }
        List<Integer> ids = CollectionConverters.asJava(start.stageInfos()).stream()
                .map(StageInfo::stageId)
                .toList();
        ids.forEach(id -> stages.put(id, meter));
        jobs.put(start.jobId(), new Job(meter, ids));
    }

    private @Nullable RunMeter meterOf(@Nullable Properties properties) {
        String tags = properties == null ? null : properties.getProperty(TAGS);
        if (tags == null) {
            return null;
        }
        for (String tag : tags.split(",", -1)) {
            RunMeter meter = runs.get(tag);
            if (meter != null) {
                return meter;
            }
        }
        return null;
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
        RunMeter meter = stages.get(submitted.stageInfo().stageId());
        if (meter != null) {
            meter.stageRan();
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        RunMeter meter = stages.get(end.stageId());
        if (meter != null) {
            meter.taskEnded(end);
        }
    }

    @Override
    public synchronized void onJobEnd(SparkListenerJobEnd end) {
        Job job = jobs.remove(end.jobId());
        if (job != null) {
            job.stages.forEach(stages::remove);
            job.meter.jobEnded();
        }
    }
}
