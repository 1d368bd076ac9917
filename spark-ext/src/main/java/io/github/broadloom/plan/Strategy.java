package io.github.broadloom.plan;

/** How the tasks of a stage come by an operand. */
public enum Strategy {
    /** Whole, once to each executor, in a Spark broadcast variable; never expanded. */
    REPLICATE("replicate"),
    /** The block that belongs to the task's own, found by index. */
    ALIGN("align"),
    /** As {@link #ALIGN}, from chunks that are cut elsewhere: the task takes what overlaps its own. */
    RESLICE("re-slice"),
    /** The block that belongs to the task's own along some of the dimensions that are cut: every task along the others reads it again. */
    GRID("grid"),
    /** As {@link #RESLICE}, where every task needs a little of very many chunks: Spark's shuffle brings together what belongs together. */
    SHUFFLE("shuffle");

    private final String text;

    Strategy(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
