package io.github.broadloom.plan;

/** Refuses, before any job starts, the stages that cannot work. */
final class Refusals {
    /** Spark's driver keeps some kilobytes for each task of a job, and takes about a millisecond to start one. */
    private static final int MOST_TASKS = 1_000_000;

    private Refusals() {}

    /**
     * @throws IllegalArgumentException where an operand is too large to copy to every executor, a task would not fit, or
     *     there would be too many
     */
    static void check(Stage stage, Settings settings) {
        for (Operand operand : stage.operands()) {
            if (operand.strategy() == Strategy.REPLICATE && operand.replicatedBytes() > settings.replicateBytes()) {
                throw new IllegalArgumentException(tooLarge(stage, operand, settings));
            }
        }
        int chunks = stage.tasks().chunks();
        if (stage.kind() != Stage.Kind.DRIVER && chunks > MOST_TASKS) {
            throw new IllegalArgumentException("Cannot compute " + stage.text() + ": it takes " + chunks
                    + " tasks, and a job has at most " + MOST_TASKS
                    + "; make the chunks larger with withChunkBytes, or reduce before expanding");
        }
        long peak = stage.peakBytes(settings);
        if (stage.kind() != Stage.Kind.DRIVER && peak > settings.taskBytes()) {
            if (stage.kind() == Stage.Kind.WHOLE) {
                throw new IllegalArgumentException("Cannot compute " + stage.text()
                        + ": its lines run through all rows, so one task would hold " + Figures.bytes(peak)
                        + " and has " + Figures.bytes(settings.taskBytes())
                        + "; go along an inner dimension, or give each task more memory");
            }
            boolean smaller = stage.grid().canBeFiner();
            throw new IllegalArgumentException("Cannot compute " + stage.text() + ": a task would hold "
                    + Figures.bytes(peak) + " and has " + Figures.bytes(settings.taskBytes()) + "; "
                    + (smaller ? "make the chunks smaller, or give" : "its smallest chunk is one row, so give")
                    + " each task more memory");
        }
    }

    private static String tooLarge(Stage stage, Operand operand, Settings settings) {
        for (Operand other : stage.operands()) {
            if (other.strategy() == Strategy.ALIGN && other.source().sizeBytes() > settings.replicateBytes()) {
                return "Cannot broadcast " + label(operand) + " against " + label(other)
                        + ": both are large and expand each other, and at most "
                        + Figures.bytes(settings.replicateBytes())
                        + " are copied to every executor; reduce or slice one of them first, or raise the limit with"
                        + " withReplicateBytes";
            }
        }
        return "Cannot broadcast " + label(operand) + " in " + stage.text()
                + ": every task needs all of it, and at most "
                + Figures.bytes(settings.replicateBytes())
                + " are copied to every executor; give it the result's leading dimension, or raise the limit with"
                + " withReplicateBytes";
    }

    private static String label(Operand operand) {
        Source source = operand.source();
        return source.name() + " " + source.shape() + " (" + Figures.bytes(source.sizeBytes()) + ")";
    }
}
