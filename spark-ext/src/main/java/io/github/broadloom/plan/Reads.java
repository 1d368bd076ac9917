package io.github.broadloom.plan;

import java.util.List;

/**
 * How often the tasks of later stages read the chunks that a stage leaves: what is read more than once is better kept than computed again. Chunks that are merely brought together are
 * as easily brought together again, unless a shuffle did it.
 *
 * @param reads of all chunks together
 * @param again whether some chunk is read more than once, and is dear
 */
record Reads(long reads, boolean again) {
    /** Above as many tasks the one in the middle stands for all of them. */
    private static final int MOST_ASKED = 1 << 16;

    /** Of the chunks of one stage. */
    static Reads of(List<Stage> stages, int index) {
        Stage left = stages.get(index);
        long[] each = new long[left.kind().leavesChunks() ? left.resultGrid().chunks() : 0];
        long reads = 0;
        boolean again = left.kind().leavesChunks() && left.outputs().size() > 1; // once for each output
        for (Stage stage : stages.subList(index + 1, stages.size())) {
            for (Operand operand : stage.operands()) {
                if (operand.source() instanceof StageChunks chunks && chunks.stage() == index) {
                    reads += stage.passes() * add(each, operand, chunks.grid(), stage.tasks());
                    again |= stage.passes() > 1 || operand.strategy() == Strategy.GRID;
                }
            }
        }
        for (int chunk = 0; chunk < each.length && !again; chunk++) {
            again = each[chunk] > 1;
        }
        return new Reads(reads, again && (!left.copies() || left.shuffles() > 0));
    }

    /** Counts what the tasks of a stage read of an operand. */
    private static long add(long[] each, Operand operand, ChunkGrid chunks, ChunkGrid tasks) {
        if (operand.transport() != Transport.PARENT) { // once, to be sent
            for (int chunk = 0; chunk < each.length; chunk++) {
                each[chunk]++;
            }
            return each.length;
        }
        if (tasks.chunks() > MOST_ASKED) {
            Box middle = tasks.box(tasks.chunks() / 2);
            return (long) tasks.chunks()
                    * chunks.overlapping(operand.access().box(middle)).size();
        }
        long reads = 0;
        for (int task = 0; task < tasks.chunks(); task++) {
            List<Integer> read = chunks.overlapping(operand.access().box(tasks.box(task)));
            read.forEach(chunk -> each[chunk]++);
            reads += read.size();
        }
        return reads;
    }
}
