package io.github.broadloom.exec;

import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryFigures;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.PairFunction;
import scala.Tuple2;

/** Asks the JVMs of a Spark application for their figures. */
public final class Survey {
    private static final String DRIVER = "driver";

    private Survey() {}

    /**
     * The figures of each JVM by Spark's name for it. On a cluster one short job asks the executors, with a task for each core: an executor
     * that is busy with other jobs may be missing.
     */
    public static Map<String, MemoryFigures> memory(SparkContext context) {
        Map<String, MemoryFigures> figures = new TreeMap<>();
        if (!context.isLocal()) {
            int cores = Math.max(1, context.defaultParallelism());
            JavaSparkContext java = JavaSparkContext.fromSparkContext(context);
            new JobRunner(context)
                    .described(
                            "broadloom: memory",
                            () -> java.parallelize(Collections.nCopies(cores, 0), cores)
                                    .mapToPair(new Ask())
                                    .collectAsMap())
                    .forEach((executor, bytes) -> figures.put(executor, JavaBytes.read(bytes, MemoryFigures.class)));
        }
        figures.put(DRIVER, Memory.figures());
        return figures;
    }

    /** What each task answers. */
    private static final class Ask implements PairFunction<Integer, String, byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public Tuple2<String, byte[]> call(Integer nothing) {
            return new Tuple2<>(SparkEnv.get().executorId(), JavaBytes.of(Memory.figures()));
        }
    }
}
