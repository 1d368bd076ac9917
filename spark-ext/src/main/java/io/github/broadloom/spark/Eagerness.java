package io.github.broadloom.spark;

/** When something is done that an action could do later; Spark's {@code Dataset.checkpoint} has a boolean for it. */
public enum Eagerness {
    /** At once. */
    EAGER,
    /** By the first action that needs it. */
    LAZY
}
