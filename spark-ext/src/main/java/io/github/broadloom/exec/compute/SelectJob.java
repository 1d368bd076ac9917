package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.Selection;
import io.github.broadloom.cpu.reduce.SelectionCount;
import io.github.broadloom.cpu.reduce.SelectionCount.Answer;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.expr.Along;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** Finds order statistics of lines that no task can hold: a job for each pass, in which every task counts what is asked of its chunk. */
final class SelectJob {
    /** What comes of a task is as large only where its values are spread over all numbers. */
    private static final long ANSWER_BYTES = 1 << 20;

    private SelectJob() {}

    static List<Tensor> select(Stage stage, SparkContext context, StageInputs inputs, Device device, JobRunner jobs) {
        Selection selection =
                new Selection(stage.outputs().stream().map(Along.class::cast).toList());
        do {
            SelectionCount question = selection.question();
            ChunkRDD<byte[]> counted = new ChunkRDD<>(
                    context,
                    inputs,
                    stage.outputs().subList(0, 1),
                    stage.grid(),
                    device,
                    byte[].class,
                    (task, backend) -> count(task, backend, question));
            jobs.run(
                    counted,
                    (task, answers) -> answers.next(),
                    (chunk, answer) -> selection.push(chunk, JavaBytes.read(answer, Answer.class)),
                    chunk -> ANSWER_BYTES);
        } while (selection.next());
        return selection.finish();
    }

    private static List<byte[]> count(ChunkTask task, Backend backend, SelectionCount question) throws IOException {
        Along part = (Along) task.outputs().get(0);
        Tensor value = task.value(part.operand(), backend);
        Answer answer = question.of(part, value);
        MemoryMeter.array(answer.sizeBytes());
        return List.of(JavaBytes.of(answer));
    }
}
