package io.github.broadloom.bench;

/** What memory allows: how long the bytes of a workload take to copy, where it is computed. */
interface CopyLimit {

    /** Times the copy. */
    Seconds of(Workload workload, Rounds rounds);
}
