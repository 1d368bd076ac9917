package io.github.broadloom.peers;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.GsonBuilder;
import java.io.Reader;
import java.util.List;

/**
 * What the benchmark asks for, as it arrives: one JSON object.
 *
 * @param block how many values of an operand differ; then they repeat
 */
record Job(
        String who,
        String workload,
        int threads,
        int warmUp,
        double warmUpSeconds,
        int measured,
        int samples,
        int block,
        List<Operand> operands) {

    /** An array as it is stored, and whether the workload sees it transposed. */
    record Operand(String name, String dtype, boolean transposed, long[] shape) {
        long count() {
            long count = 1;
            for (long size : shape) {
                count *= size;
            }
            return count;
        }
    }

    static Job read(Reader reader) {
        return new GsonBuilder()
                .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
                .create()
                .fromJson(reader, Job.class);
    }
}
