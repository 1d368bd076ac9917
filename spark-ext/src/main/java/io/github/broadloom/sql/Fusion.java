package io.github.broadloom.sql;

import io.github.broadloom.sql.TensorProgram.Argument;
import io.github.broadloom.sql.TensorProgram.Cells;
import io.github.broadloom.sql.TensorProgram.Value;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * Functions of tensors put together. A function whose arguments are functions is one program with these, over what none of them computes;
 * what several of them read is one cell of a row.
 */
final class Fusion {
    /** Programs are sent by Java's serialization, which recurses: what is nested deeper is a cell, and a program of its own. */
    private static final int DEEPEST = 100;

    private final Predicate<TensorFunction> computed;
    private final List<Expression> cells = new ArrayList<>();
    private final List<CellReader> readers = new ArrayList<>();
    private final List<CellType> types = new ArrayList<>();
    private final Map<List<Object>, Integer> places = new HashMap<>();
    private final List<TensorProgram> programs = new ArrayList<>();

    private Fusion(Predicate<TensorFunction> computed) {
        this.computed = computed;
    }

    static Fusion of(List<TensorFunction> functions) {
        return of(functions, function -> false);
    }

    /** @param computed those among the arguments that somebody computes already */
    static Fusion of(List<TensorFunction> functions, Predicate<TensorFunction> computed) {
        Fusion fusion = new Fusion(computed);
        functions.forEach(function -> fusion.programs.add(fusion.program(function, 1)));
        return fusion;
    }

    List<Expression> cells() {
        return cells;
    }

    /** As what the functions take each of the cells. */
    List<CellType> types() {
        return types;
    }

    BatchProgram program() {
        return new BatchProgram(readers, programs);
    }

    private TensorProgram program(TensorFunction call, int depth) {
        TensorProgram own = call.program();
        List<Argument> arguments = new ArrayList<>();
        for (int i = 0; i < own.arguments().size(); i++) {
            arguments.add(
                    own.arguments().get(i) instanceof Cells known
                            ? argument(call, i, known, depth)
                            : own.arguments().get(i));
        }
        return own.over(arguments);
    }

    /** What is the same in all rows is computed once, by Spark or for the first row; a column that declares a shape is another tensor than what fills it. */
    private Argument argument(TensorFunction call, int index, Cells known, int depth) {
        Expression given = call.arguments().get(index);
        boolean isPart = depth < DEEPEST
                && given instanceof TensorFunction inner
                && !inner.isConstant()
                && !computed.test(inner)
                && inner.program().result().equals(known.type());
        return isPart
                ? new Value(program((TensorFunction) given, depth + 1))
                : new Cells(known.type(), place(call, index, given, known));
    }

    private int place(TensorFunction call, int index, Expression given, Cells known) {
        if (!given.deterministic()) {
            return add(call, index, given, known);
        }
        return places.computeIfAbsent(
                List.of(given.canonicalized(), known.type()), key -> add(call, index, given, known));
    }

    private int add(TensorFunction call, int index, Expression given, Cells known) {
        cells.add(given);
        types.add(known.type());
        readers.add(new CellReader(call.program()::refused, call.argument(index), known.type()));
        return cells.size() - 1;
    }
}
