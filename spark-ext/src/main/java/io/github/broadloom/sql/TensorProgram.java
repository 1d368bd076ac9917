package io.github.broadloom.sql;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Unsized;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A function of SQL over arguments of known types: typed once, when the query is analysed, and shaped for the cells of each row. It is
 * what is sent to the executors.
 */
public final class TensorProgram implements Serializable {
    private static final long serialVersionUID = 1;

    /** One argument: cells of a column, the same plain number in all rows, or what another program computes. */
    sealed interface Argument extends Serializable {}

    /** Cells of a column, at that place among those of a row. */
    record Cells(CellType type, int place) implements Argument {
        private boolean isSized() {
            return type.rank() == 0 || type.declared() != null;
        }

        private Expr typed(boolean isSized) {
            return isSized
                    ? Input.of(this, type.dtype(), type.declared() == null ? Shape.SCALAR : type.declared())
                    : Unsized.of(type.dtype(), type.rank());
        }
    }

    /** The value of another program for the same row, as it would lie in a column. */
    record Value(TensorProgram program) implements Argument {}

    /** A number as the user wrote it: it takes part in promotion as Python's do. */
    record Number(Object value) implements Argument {}

    private final CallSite call;
    private final Template template;

    @SuppressWarnings("serial") // List.copyOf
    private final List<Argument> arguments;

    private final CellType result;

    /** @throws IllegalArgumentException naming the function, where the types cannot go together */
    TensorProgram(CallSite call, Template template, List<Argument> arguments) {
        this.call = call;
        this.template = template;
        this.arguments = List.copyOf(arguments);
        checkCount();
        Expr typed = typed();
        this.result = new CellType(typed.dtype(), typed.shape().rank(), null);
    }

    private TensorProgram(TensorProgram typed, List<Argument> arguments) {
        this.call = typed.call;
        this.template = typed.template;
        this.arguments = List.copyOf(arguments);
        this.result = typed.result;
    }

    /** The same over arguments of these types that come from elsewhere. */
    TensorProgram over(List<Argument> others) {
        return new TensorProgram(this, others);
    }

    private void checkCount() {
        int given = arguments.size();
        CallArguments.checkCount(function(), given, template.arguments(), template.required(), template.most());
        for (int i = 0; i < given; i++) {
            if (template.isNumber(i) && arguments.get(i) instanceof Cells) {
                throw new IllegalArgumentException("Cannot call " + function() + ": " + template.argument(i)
                        + " must be a plain number, not a column");
            }
        }
    }

    /** The expression for its dtype and rank. The sizes of cells are known where all are numbers or of declared shapes. */
    private Expr typed() {
        try {
            return typed(arguments);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            if (e instanceof ArithmeticException || e.getCause() instanceof ArithmeticException) {
                List<Argument> divisors =
                        arguments.stream().map(TensorProgram::divisor).toList();
                if (!divisors.equals(arguments)) {
                    return typed(divisors);
                }
            }
            throw new IllegalArgumentException("Cannot call " + function() + ": " + e.getMessage(), e);
        }
    }

    /** Where an integer is divided by a number that is zero, the types go together all the same: it is said of the first row. */
    private static Argument divisor(Argument argument) {
        boolean isZero = argument instanceof Number number
                && Expr.literal(number.value()) instanceof Literal zero
                && zero.doubleValue() == 0;
        return isZero ? new Number(1L) : argument;
    }

    private Expr typed(List<Argument> types) {
        boolean isSized = types.stream().noneMatch(argument -> argument instanceof Cells cells && !cells.isSized());
        List<Expr> operands = new ArrayList<>();
        for (Argument argument : types) {
            operands.add(argument instanceof Cells cells ? cells.typed(isSized) : operand(argument, List.of()));
        }
        return stored(template.over(operands));
    }

    /**
     * The expression over the cells of a row, of the dtype that is stored.
     *
     * @param cells each at its place
     * @throws IllegalArgumentException naming the function and its arguments, where the shapes do not go together
     */
    Expr row(List<? extends Expr> cells) {
        List<Expr> operands = new ArrayList<>();
        try {
            return over(cells, operands);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            if (operands.size() < arguments.size()) {
                throw e; // an argument is a program itself, and has said it
            }
            List<String> given = new ArrayList<>();
            for (int i = 0; i < operands.size(); i++) {
                if (!(arguments.get(i) instanceof Number)) {
                    given.add(template.argument(i)
                            + Arrays.toString(operands.get(i).shape().toArray()));
                }
            }
            String sentence = "Cannot call " + function() + " with " + String.join(", ", given) + ": " + e.getMessage();
            throw call.failed(new IllegalArgumentException(sentence, e), result.dataType());
        }
    }

    /** @param operands takes what stands for the arguments, one after the other */
    private Expr over(List<? extends Expr> cells, List<Expr> operands) {
        for (Argument argument : arguments) {
            operands.add(operand(argument, cells));
        }
        return stored(template.over(operands));
    }

    private static Expr stored(Expr value) {
        return Expr.cast(value, new CellType(value.dtype(), 0, null).stored());
    }

    private static Expr operand(Argument argument, List<? extends Expr> cells) {
        if (argument instanceof Cells known) {
            return cells.get(known.place());
        }
        return argument instanceof Value inner ? inner.program().row(cells) : Expr.literal(((Number) argument).value());
    }

    String function() {
        return call.function();
    }

    /** @param why as a sentence goes on after the function and a colon */
    IllegalArgumentException refused(String why) {
        return call.refused(why, result.dataType());
    }

    ArithmeticException failed(ArithmeticException cause) {
        return call.failed(cause, result.dataType());
    }

    List<Argument> arguments() {
        return arguments;
    }

    int[] places() {
        return places(this).distinct().toArray();
    }

    private static IntStream places(TensorProgram program) {
        return program.arguments.stream()
                .flatMapToInt(argument -> argument instanceof Cells cells
                        ? IntStream.of(cells.place())
                        : argument instanceof Value inner ? places(inner.program()) : IntStream.empty());
    }

    CellType result() {
        return result;
    }
}
