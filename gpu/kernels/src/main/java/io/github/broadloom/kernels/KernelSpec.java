package io.github.broadloom.kernels;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a kernel computes: the dtypes and access classes of its operands and a straight-line program, without sizes,
 * strides or addresses, which are run-time arguments. Two specifications are equal when their operands and steps are; so this
 * is the key of the kernel cache.
 */
public final class KernelSpec {

    /** How an operand varies over a tile of the output, which has rows and columns. */
    public enum Access {
        /** One value for the whole output: read once, outside the loops. */
        CONSTANT,
        /** One value for each row: read outside the loop over the columns. */
        ROW,
        /** One value for each column, the same in all rows; of kernels that fold or kernels that read memory directly alone. */
        COLUMN,
        /** A few values again and again along a row, each row its own: eight elements, in which they are repeated; of kernels that read memory directly alone. */
        PERIOD,
        /** A value for each element, row by row. */
        VARYING
    }

    public record Operand(DType dtype, Access access) {}

    /** One value of the program; its arguments are indices of earlier steps. */
    public sealed interface Step permits Load, Constant, Number, Operation, Convert {
        DType dtype();

        /** The steps that it is computed from. */
        default List<Integer> args() {
            return List.of();
        }
    }

    /** The element of an operand. */
    public record Load(int operand, DType dtype) implements Step {
        @Override
        public String toString() {
            return "load " + operand;
        }
    }

    /** A number of the program's text, where it decides what code there is: a Boolean, a Long or a Double that the dtype can hold. */
    public record Constant(Object value, DType dtype) implements Step {
        @Override
        public String toString() {
            return dtype + " " + value;
        }
    }

    /** A number that each call gives, so that programs that differ in it alone are one. */
    public record Number(int number, DType dtype) implements Step {
        @Override
        public String toString() {
            return dtype + " number " + number;
        }
    }

    /** An operation; the arguments have the dtypes that its templates expect. */
    public record Operation(Op op, DType compute, DType dtype, List<Integer> args) implements Step {
        @Override
        public String toString() {
            return op.name() + "." + compute
                    + args.stream().map(arg -> " " + arg).collect(Collectors.joining()) + " -> " + dtype;
        }
    }

    public record Convert(int arg, DType from, DType dtype) implements Step {
        @Override
        public List<Integer> args() {
            return List.of(arg);
        }

        @Override
        public String toString() {
            return "convert " + arg + " " + from + " -> " + dtype;
        }
    }

    private final List<Operand> operands;
    private final List<Step> steps;
    private final int hash;

    KernelSpec(List<Operand> operands, List<Step> steps) {
        this.operands = List.copyOf(operands);
        this.steps = List.copyOf(steps);
        this.hash = 31 * this.operands.hashCode() + this.steps.hashCode();
    }

    /** The same program over operands that vary otherwise; a {@link Access#CONSTANT} one stays so. */
    public KernelSpec over(List<Access> accesses) {
        List<Operand> changed = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            Operand operand = operands.get(i);
            boolean constant = operand.access() == Access.CONSTANT;
            changed.add(constant ? operand : new Operand(operand.dtype(), accesses.get(i)));
        }
        return changed.equals(operands) ? this : new KernelSpec(changed, steps);
    }

    /** The operands, in the order in which the kernel takes them. */
    public List<Operand> operands() {
        return operands;
    }

    /** The program; the last step is the result. */
    public List<Step> steps() {
        return steps;
    }

    /** The dtypes of the numbers that a call gives, in their order. */
    public List<DType> numbers() {
        return steps.stream().filter(Number.class::isInstance).map(Step::dtype).toList();
    }

    public DType dtype() {
        return steps.get(steps.size() - 1).dtype();
    }

    /** Whether the result is the one operand as it stands, so that there is nothing to compile. */
    public boolean isCopy() {
        return steps.size() == 1
                && steps.get(0) instanceof Load
                && operands.get(0).access() == Access.VARYING;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof KernelSpec spec
                        && hash == spec.hash
                        && steps.equals(spec.steps)
                        && operands.equals(spec.operands);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The canonical text: a line per operand, then a line per step. */
    @Override
    public String toString() {
        StringBuilder canonical = new StringBuilder();
        for (Operand operand : this.operands) {
            canonical
                    .append(operand.dtype())
                    .append(' ')
                    .append(operand.access().name().toLowerCase(Locale.ROOT))
                    .append('\n');
        }
        for (Step step : this.steps) {
            canonical.append(step).append('\n');
        }
        return canonical.toString();
    }
}
