package io.github.broadloom.exec.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private final Map<Integer, RunMeter> jobs = new HashMap<>();
    private final Map<Integer, RunMeter> stages = new HashMap<>();
    private final Map<Integer, int[]> stagesOfJobs = new HashMap<>();

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
        int count = start.stageInfos().size();
        int[] ids = new int[count];
        scala.collection.Iterator<StageInfo> infos = start.stageInfos().iterator();
        for (int i = 0; i < count; i++) {
            ids[i] = infos.next().stageId();
            stages.put(ids[i], meter);
        }
        jobs.put(start.jobId(), meter);
        stagesOfJobs.put(start.jobId(), ids);
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
        RunMeter meter = jobs.remove(end.jobId());
        int[] ids = stagesOfJobs.remove(end.jobId());
        if (meter != null && ids != null) {
            for (int id : ids) {
                stages.remove(id);
            }
            meter.jobEnded();
        }
    }
}
