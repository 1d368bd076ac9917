package io.github.broadloom.bench;

/**
 * Makes Spark itself warm, once: a program that runs many jobs is, and the rounds of the first workload alone do not make it so; whoever is measured first would pay for
 * all.
 */
final class SparkWarmUp {
    /** After about that long the JVM has compiled what Spark does for a task; until then a job takes three times as long. */
    private static final int SECONDS = 30;

    private boolean warm;

    /** Repeats some work that Spark does, if this was not asked for before, and calls are to be warm. */
    void once(Rounds rounds, Runnable work) {
        if (!warm && rounds.warmUpSeconds() > 0) {
            warm = true;
            Rounds.settle(work, SECONDS);
        }
    }
}
