package io.github.broadloom.plan;

/** What carries an operand's elements to the tasks. */
public enum Transport {
    /** The stage's one broadcast variable, with every operand that is sent whole. */
    BROADCAST,
    /** A broadcast variable for each chunk, which only the task that needs it fetches. */
    CHUNK_BROADCAST,
    /** The task reads its byte range of the files. */
    FILE,
    /** The overlapping chunks of a distributed tensor: a narrow dependency. */
    PARENT,
    /** Spark's shuffle, of pieces of chunks. */
    SHUFFLE,
    /** Nothing: the stage runs on the driver. */
    NONE
}
