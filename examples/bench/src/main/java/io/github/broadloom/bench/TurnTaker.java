package io.github.broadloom.bench;

import java.util.List;
import java.util.Objects;

/** A contender that shares a JVM with others: their calls are measured in {@linkplain Turns turns}. */
interface TurnTaker extends Contender {

    /**
     * Makes ready what it calls for a workload that it {@linkplain #takes takes}.
     *
     * @throws Absence where it cannot
     */
    Turn prepare(Workload workload, Rounds rounds) throws Absence;

    @Override
    default Outcome run(Workload workload, Rounds rounds) {
        return Objects.requireNonNull(Turns.of(List.of(this), workload, rounds).get(this));
    }

    /** A call that is ready. */
    interface Turn {
        /** Computes once. */
        void call();

        /** What came of calls that took so long. */
        Outcome outcome(Seconds seconds);
    }
}
