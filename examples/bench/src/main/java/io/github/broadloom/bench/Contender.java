package io.github.broadloom.bench;

import java.util.Optional;

/** Something that can compute workloads, measured: a {@link Soloist} or a {@link TurnTaker}. */
interface Contender {
    String who();

    /** Whether a workload is one for it: columns of tables are for those who have a query. */
    default boolean takes(Workload workload) {
        return workload.queries().isEmpty();
    }

    /** One that is measured while no other runs. */
    interface Soloist extends Contender {
        /** Measures a workload that it {@linkplain #takes takes}. */
        Outcome run(Workload workload, Rounds rounds);
    }

    /**
     * What came of it.
     *
     * @param seconds the times, or nothing where it could not be measured
     * @param note the version measured, or why it could not be
     * @param answer what was computed; nothing where that is the measure of the others
     */
    record Outcome(Optional<Seconds> seconds, String note, Optional<ContenderAnswer> answer) {
        static Outcome measured(Seconds seconds, String version) {
            return new Outcome(Optional.of(seconds), version, Optional.empty());
        }

        static Outcome measured(Seconds seconds, String version, ContenderAnswer answer) {
            return new Outcome(Optional.of(seconds), version, Optional.of(answer));
        }

        static Outcome absent(String why) {
            return new Outcome(Optional.empty(), why, Optional.empty());
        }
    }
}
