package io.github.broadloom.plan;

import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Refusal.Cause;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Refuses, before any job starts, the stages that cannot work. */
record Refusals(Stage stage, Settings settings) {
    /** Spark's driver keeps some kilobytes for each task of a job, and takes about a millisecond to start one. */
    private static final int MOST_TASKS = 1_000_000;

    /** An operand with less than that part of a task's memory is not what there is too much of. */
    private static final int NOTEWORTHY = 4;

    /** @throws Refusal where an operand is too large to copy to every executor, a task would not fit, or there would be too many */
    static void check(Stage stage, Settings settings) {
        Refusals refusals = new Refusals(stage, settings);
        for (Operand operand : stage.operands()) {
            if (operand.strategy() == Strategy.REPLICATE && operand.replicatedBytes() > settings.replicateBytes()) {
                throw refusals.tooLarge(operand);
            }
        }
        if (stage.kind() == Stage.Kind.DRIVER) {
            return;
        }
        if (stage.tasks().chunks() > MOST_TASKS) {
            throw refusals.tooMany();
        }
        if (stage.peakBytes(settings) > settings.taskBytes()) {
            throw refusals.tooHeavy();
        }
    }

    private Refusal tooLarge(Operand operand) {
        String limit = "at most " + Figures.bytes(settings.replicateBytes()) + " are copied to every executor";
        long bytes = operand.replicatedBytes();
        return stage.operands().stream()
                .filter(other -> expand(operand, other))
                .max(Comparator.comparingLong(other -> other.source().sizeBytes()))
                .map(other -> new Refusal(
                        Cause.REPLICA,
                        bytes,
                        "Cannot broadcast " + label(operand) + " against " + label(other) + " in " + stage.text()
                                + ": both are large and expand each other, and " + limit,
                        List.of("reduce or slice one of them first")))
                .orElseGet(() -> new Refusal(
                        Cause.REPLICA,
                        bytes,
                        "Cannot copy " + label(operand) + " to every executor for " + stage.text()
                                + ": each task needs "
                                + (bytes < operand.source().sizeBytes() ? Figures.bytes(bytes) + " of it" : "all of it")
                                + ", and " + limit,
                        List.of("reduce or slice it first")));
    }

    /** Whether each of two large operands has a dimension along which it repeats the other. */
    private boolean expand(Operand operand, Operand other) {
        if (other.source().sizeBytes() <= settings.replicateBytes()) {
            return false;
        }
        return repeats(shape(operand), shape(other)) && repeats(shape(other), shape(operand));
    }

    private Shape shape(Operand operand) {
        return stage.outputs().stream()
                .flatMap(output -> output.inputs().stream())
                .filter(input -> input.source().equals(operand.slot()))
                .map(Input::shape)
                .findFirst()
                .orElse(operand.source().shape());
    }

    private static boolean repeats(Shape a, Shape b) {
        int most = Math.max(a.rank(), b.rank());
        for (int d = 1; d <= most; d++) {
            long own = d > a.rank() ? 1 : a.size(a.rank() - d);
            long its = d > b.rank() ? 1 : b.size(b.rank() - d);
            if (own == 1 && its > 1) {
                return true;
            }
        }
        return false;
    }

    private Refusal tooMany() {
        return new Refusal(
                Cause.TASKS,
                0,
                "Cannot compute " + stage.text() + ": it takes " + stage.tasks().chunks()
                        + " tasks, and a job has at most " + MOST_TASKS,
                List.of("reduce before expanding"));
    }

    private Refusal tooHeavy() {
        long peak = stage.peakBytes(settings);
        List<String> remedies = new ArrayList<>();
        boolean whole = stage.kind() == Stage.Kind.WHOLE;
        for (Operand operand : stage.operands()) {
            if (isMadeOnTheWay(operand) && MemoryEstimate.ofKept(stage) <= settings.taskBytes()) {
                remedies.add("compute " + operand.source().name()
                        + " before, with cache(StorageLevel.DISK_ONLY()) and materialize()");
            }
        }
        remedies.add("give each task more memory: fewer cores, or more memory, for each executor");
        String most = stage.operands().stream()
                .max(Comparator.comparingLong(operand -> MemoryEstimate.held(stage, operand)))
                .map(operand ->
                        ", " + Figures.bytes(MemoryEstimate.held(stage, operand)) + " of them of " + label(operand))
                .orElse("");
        return new Refusal(
                Cause.MEMORY,
                replicated() > peak / NOTEWORTHY ? replicated() : 0,
                "Cannot compute " + stage.text() + ": " + (whole ? "its lines run through all rows, so one" : "a")
                        + " task would hold " + Figures.bytes(peak) + most + ", and has "
                        + Figures.bytes(settings.taskBytes()),
                remedies);
    }

    private static boolean isMadeOnTheWay(Operand operand) {
        return operand.transport() == Transport.PARENT && operand.source().taskBytes() > 0;
    }

    private long replicated() {
        return stage.operands().stream()
                .filter(operand -> operand.strategy() == Strategy.REPLICATE)
                .mapToLong(Operand::replicatedBytes)
                .max()
                .orElse(0);
    }

    private static String label(Operand operand) {
        Source source = operand.source();
        return source.name() + " " + source.shape() + " (" + Figures.bytes(source.sizeBytes()) + ")";
    }
}
