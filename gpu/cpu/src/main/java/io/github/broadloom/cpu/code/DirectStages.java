package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The order of a {@link DirectKernel}'s work on a piece of a row: loops of vectors, and between them calls for the functions that
 * are no operations on vectors. What one leaves for another waits in an array. A loop computes a value as late as its users allow,
 * so that few wait; elements of operands are read again in each loop that needs them.
 */
final class DirectStages {
    /**
     * A loop, then calls.
     *
     * @param values what the loop computes, or reads, arguments first; what a row repeats in a vector, too, but what it has one of
     * @param stores which of them it leaves in arrays
     * @param calls the functions that come afterwards
     */
    record Stage(SortedSet<Integer> values, SortedSet<Integer> stores, List<Integer> calls) {}

    private final KernelSpec spec;
    private final List<Access> extents = new ArrayList<>();
    private final int[] stageOf;
    private final List<Stage> stages = new ArrayList<>();

    DirectStages(KernelSpec spec) {
        this.spec = spec;
        int steps = spec.steps().size();
        for (int step = 0; step < steps; step++) {
            extents.add(extent(step));
        }
        this.stageOf = stages();
        for (int stage = 0; stage <= stageOf[steps - 1]; stage++) {
            stages.add(new Stage(new TreeSet<>(), new TreeSet<>(), new ArrayList<>()));
        }
        IntStream.range(0, steps)
                .filter(step -> isCall(step) && stageOf[step] < Integer.MAX_VALUE)
                .forEach(call -> stages.get(stageOf[call]).calls().add(call));
        int result = steps - 1;
        if (!isCall(result)) {
            use(result, stages.size() - 1);
        }
        for (int stage = 0; stage < stages.size(); stage++) {
            for (int call : stages.get(stage).calls()) {
                for (int arg : DirectPrograms.arrays(spec, call)) {
                    wait(arg, stage);
                }
            }
        }
    }

    private Access extent(int index) {
        Step step = spec.steps().get(index);
        if (step instanceof Load load) {
            return spec.operands().get(load.operand()).access();
        }
        List<Access> args = step.args().stream().map(extents::get).toList();
        Access extent = args.stream().max(Access::compareTo).orElse(Access.CONSTANT);
        boolean isMask = step.dtype() == DType.BOOL && extent == Access.PERIOD;
        return isMask || args.contains(Access.COLUMN) || DirectPrograms.isCall(step) ? Access.VARYING : extent;
    }

    /** The stage of each step: of calls the first that is possible, of all others the first that needs them. */
    private int[] stages() {
        int[] earliest = new int[spec.steps().size()];
        for (int step = 0; step < earliest.length; step++) {
            for (int arg : spec.steps().get(step).args()) {
                earliest[step] = Math.max(earliest[step], earliest[arg] + (isCall(arg) ? 1 : 0));
            }
        }
        int[] stage = new int[earliest.length];
        Arrays.fill(stage, Integer.MAX_VALUE);
        int result = stage.length - 1;
        stage[result] = earliest[result];
        for (int step = result; step >= 0; step--) {
            if (stage[step] < Integer.MAX_VALUE) {
                stage[step] = isCall(step) ? earliest[step] : stage[step];
                for (int arg : spec.steps().get(step).args()) {
                    stage[arg] = Math.min(stage[arg], stage[step]);
                }
            }
        }
        return stage;
    }

    /** Sees to it that a value is at hand in the loop of a stage. */
    private void use(int step, int stage) {
        if (isSingle(step) || !stages.get(stage).values().add(step)) {
            return;
        }
        if (isWaiting(step, stage)) {
            if (!isCall(step)) {
                wait(step, stageOf[step]);
            }
        } else {
            spec.steps().get(step).args().forEach(arg -> use(arg, stage));
        }
    }

    /** Sees to it that a value waits in an array after the loop of a stage, or one before it. */
    private void wait(int step, int stage) {
        if (isCall(step) || isElement(step) && isStagedAsFloats(step)) {
            return;
        }
        int home = isElement(step) || isBeforeLoops(step) ? stage : stageOf[step];
        boolean isThere = stages.subList(0, home + 1).stream()
                .anyMatch(earlier -> earlier.stores().contains(step));
        if (!isThere) {
            stages.get(home).stores().add(step);
            use(step, home);
        }
    }

    private boolean isCall(int step) {
        return DirectPrograms.isCall(spec.steps().get(step));
    }

    /** What is the same in a whole row, or repeats in a vector: it is computed where the row begins. */
    boolean isBeforeLoops(int step) {
        return isSingle(step) || extents.get(step) == Access.PERIOD;
    }

    boolean isSingle(int step) {
        return extents.get(step).compareTo(Access.ROW) <= 0;
    }

    /** Whether a value is an operand's element, perhaps converted. */
    private boolean isElement(int step) {
        Step value = spec.steps().get(step);
        return value instanceof Load || value instanceof Convert convert && isElement(convert.arg());
    }

    /** Whether the floats of an operand's elements lie in the operand's own array. */
    private boolean isStagedAsFloats(int step) {
        Step value = spec.steps().get(step);
        return value instanceof Convert convert
                ? DirectPrograms.isFloats(convert.from()) && isStagedAsFloats(convert.arg())
                : extents.get(step) == Access.VARYING && DirectPrograms.isFloats(value.dtype());
    }

    /** Whether a stage's loop reads a value from the array in which it waits. */
    boolean isWaiting(int step, int stage) {
        return isCall(step) || !isElement(step) && !isBeforeLoops(step) && stageOf[step] < stage;
    }

    /** The array in which a value waits. */
    String array(int step) {
        Step value = spec.steps().get(step);
        if (step == spec.steps().size() - 1 && isCall(step)) {
            return "h" + spec.operands().size();
        }
        if (isElement(step) && isStagedAsFloats(step)) {
            return value instanceof Convert convert ? array(convert.arg()) : "h" + ((Load) value).operand();
        }
        return isCall(step) ? arrayOfCall(step) : "g" + step;
    }

    /** A call may write over what it reads; what nobody else reads, it does, for few arrays stay in the cache. */
    private String arrayOfCall(int call) {
        int arg = DirectPrograms.arrays(spec, call).get(0);
        long users =
                spec.steps().stream().filter(user -> user.args().contains(arg)).count();
        boolean isOwn = users == 1 && array(arg).startsWith("g");
        return isOwn ? array(arg) : "g" + call;
    }

    /** The arrays in which values wait, but those of operands and of the result. */
    List<String> arrays() {
        return stages.stream()
                .flatMap(stage -> Stream.concat(stage.stores().stream(), stage.calls().stream()))
                .map(this::array)
                .filter(array -> array.startsWith("g"))
                .distinct()
                .toList();
    }

    List<Stage> list() {
        return stages;
    }
}
