package io.github.broadloom.examples.bench;

import java.util.Optional;

/** Something that can compute workloads, measured. */
public interface Contender {

    /** The name in the table. */
    String who();

    /** Measures a workload. */
    Outcome run(Workload workload, Rounds rounds);

    /**
     * What came of it.
     *
     * @param seconds the times, or nothing where it could not be measured
     * @param note the version measured, or why it could not be
     */
    record Outcome(Optional<Seconds> seconds, String note) {

        static Outcome measured(Seconds seconds, String version) {
            return new Outcome(Optional.of(seconds), version);
        }

        static Outcome absent(String why) {
            return new Outcome(Optional.empty(), why);
        }
    }
}
