package io.github.broadloom.plan;

/** How the tasks of a stage come by an operand. */
public enum Strategy {
    /** Whole, once to each executor, in a Spark broadcast variable; never expanded. */
    REPLICATE,
    /** The rows that belong to the task's own rows, found by row offset. */
    ALIGN;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
