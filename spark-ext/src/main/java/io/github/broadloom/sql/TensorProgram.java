package io.github.broadloom.sql;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of SQL over arguments of known types: typed once, when the query is analysed, and shaped for the cells of each row. It is
 * what travels to the executors.
 */
public final class TensorProgram implements Serializable {
    private static final long serialVersionUID = 1;

    /**
     * Sizes for what no type tells, one after the other: with ones everything broadcasts, with the others there are elements to be
     * taken and many divisors.
     */
    private static final long[] ASSUMED_SIZES = {1, 5040, 2, 3};

    /** One argument: cells of a column, or the same plain number in all rows. */
    sealed interface Argument extends Serializable {}

    /** Cells of a column. */
    record Cells(CellType type) implements Argument {
        private static final long serialVersionUID = 1;
    }

    /** A number as the user wrote it: it takes part in promotion as Python's do. */
    record Number(Object value) implements Argument {
        private static final long serialVersionUID = 1;
    }

    private final String function;
    private final Template template;

    @SuppressWarnings("serial") // List.copyOf
    private final List<Argument> arguments;

    private final CellType result;

    /**
     * The program.
     *
     * @param function as the user calls it
     * @throws IllegalArgumentException naming the function, where the types cannot go together
     */
    TensorProgram(String function, Template template, List<Argument> arguments) {
        this.function = function;
        this.template = template;
        this.arguments = List.copyOf(arguments);
        checkCount();
        Expr typed = typed();
        this.result = new CellType(typed.dtype(), typed.shape().rank(), null);
    }

    private void checkCount() {
        int given = arguments.size();
        if (given < template.required() || given > template.most()) {
            List<String> names = template.arguments();
            throw new IllegalArgumentException("Cannot call " + function + " with " + given + " argument"
                    + (given == 1 ? "" : "s") + "; it takes "
                    + (names.isEmpty() ? "none" : names.size() + " (" + String.join(", ", names) + ")")
                    + (template.required() < names.size() ? ", of which the last may be left out" : ""));
        }
        for (int i = 0; i < given; i++) {
            if (template.isNumber(i) && arguments.get(i) instanceof Cells) {
                throw new IllegalArgumentException(
                        "Cannot call " + function + ": " + name(i) + " must be a plain number, not a column");
            }
        }
    }

    private Expr typed() {
        RuntimeException first = null;
        for (long size : ASSUMED_SIZES) {
            try {
                return row(assumed(size));
            } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
                first = first == null ? e : first;
            }
        }
        throw new IllegalArgumentException(
                "Cannot call " + function + ": " + (first == null ? "" : first.getMessage()), first);
    }

    private List<Shape> assumed(long size) {
        List<Object> numbers = new ArrayList<>();
        for (Argument argument : arguments) {
            if (argument instanceof Number number) {
                numbers.add(number.value());
            }
        }
        List<Shape> shapes = new ArrayList<>();
        for (Argument argument : arguments) {
            shapes.add(argument instanceof Cells cells ? shape(cells.type(), size, numbers) : Shape.SCALAR);
        }
        return shapes;
    }

    private Shape shape(CellType type, long size, List<Object> numbers) {
        Shape declared = type.declared();
        return declared != null ? declared : template.assumed(type.rank(), size, numbers);
    }

    /** The place of an argument, as the source of the input that stands for it. */
    record Place(int argument) implements Serializable {
        private static final long serialVersionUID = 1;
    }

    /**
     * The expression for cells of these shapes, of the dtype that is stored; the source of each input is a {@link Place}.
     *
     * @param shapes of the arguments; that of a number does not matter
     * @throws IllegalArgumentException with PyTorch's text, where the shapes do not go together
     */
    Expr row(List<Shape> shapes) {
        List<Expr> operands = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            operands.add(
                    arguments.get(i) instanceof Cells cells
                            ? Input.of(new Place(i), cells.type().dtype(), shapes.get(i))
                            : Expr.literal(((Number) arguments.get(i)).value()));
        }
        Expr value = template.over(operands);
        return Expr.cast(value, new CellType(value.dtype(), 0, null).stored());
    }

    /** As the user calls it. */
    String function() {
        return function;
    }

    List<Argument> arguments() {
        return arguments;
    }

    /** The cells of an argument that is no number. */
    CellType cells(int argument) {
        return ((Cells) arguments.get(argument)).type();
    }

    /** The name of an argument, by which errors speak of it. */
    String name(int argument) {
        List<String> names = template.arguments();
        return names.get(Math.min(argument, names.size() - 1));
    }

    /** The cells of the result. */
    CellType result() {
        return result;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TensorProgram that
                && function.equals(that.function)
                && template.equals(that.template)
                && arguments.equals(that.arguments);
    }

    @Override
    public int hashCode() {
        return 31 * template.hashCode() + arguments.hashCode();
    }
}
