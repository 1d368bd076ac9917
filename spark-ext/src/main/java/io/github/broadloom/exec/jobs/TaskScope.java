package io.github.broadloom.exec.jobs;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The off-heap memory that a task made for itself, and what it reads that is others': released and let go as soon as it is used up, at the latest when
 * the task ends.
 */
public final class TaskScope implements TaskCompletionListener {
    private final List<Storage> owned = new ArrayList<>();
    private final List<Block> held = new ArrayList<>();
    private final List<Tensor> shared = new ArrayList<>();

    private TaskScope() {}

    /** Of a task, or of a step of one: where it is cancelled, none begins. */
    public static TaskScope of(TaskContext context) {
        Cancellation.check();
        TaskScope scope = new TaskScope();
        context.addTaskCompletionListener(scope);
        return scope;
    }

    public Tensor own(Tensor tensor) {
        owned.add(tensor.storage());
        return tensor;
    }

    /** A tensor that others share: it stays while the task reads it, and when the task ends. */
    public Tensor share(Tensor tensor) {
        tensor.storage().hold();
        shared.add(tensor);
        return TaskMeter.held(tensor);
    }

    /** A cached block, which stays while the task reads it. */
    public Block hold(Block block) {
        block.hold();
        held.add(block);
        return block;
    }

    /** Lets the storage outlive the task: somebody else releases it, or the collector does. */
    public void giveAway(Tensor tensor) {
        owned.remove(tensor.storage());
    }

    public boolean owns(Tensor tensor) {
        return owned.contains(tensor.storage());
    }

    public void releaseAll() {
        owned.forEach(Storage::release);
        owned.clear();
        for (Block block : held) {
            TaskMeter.letGo(block.tensor());
            block.letGo();
        }
        held.clear();
        for (Tensor tensor : shared) {
            TaskMeter.letGo(tensor);
            tensor.storage().letGo();
        }
        shared.clear();
    }

    @Override
    public void onTaskCompletion(TaskContext context) {
        releaseAll();
    }
}
