package io.github.broadloom.sql;

import io.github.broadloom.device.Work;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.table.CellReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** What a call of constants takes, counted from the shapes of its cells before anything is computed. */
final class ConstantWork {
    /**
     * How many operations on elements the planning of a query may wait for: less than a tenth of a second. An element of the result counts as one, for Spark keeps it
     * in the plan.
     */
    private static final double MOST_OPERATIONS = 1 << 24;

    private ConstantWork() {}

    /** Whether it is no more than that; so is what cannot be computed at all, for then Spark tells why while it plans. */
    static boolean isQuick(Fusion call) {
        try {
            return operations(call) <= MOST_OPERATIONS;
        } catch (RuntimeException e) { // whatever an argument of Spark's own says of its constants
            return true;
        }
    }

    private static double operations(Fusion call) {
        BatchProgram program = call.program();
        List<Expr> cells = new ArrayList<>();
        for (Expression constant : call.cells()) {
            Object cell = constant.eval(null);
            if (cell == null) {
                return 0;
            }
            CellReader reader = program.cells().get(cells.size());
            cells.add(Input.of(constant, reader.dtype(), reader.shape(cell)));
        }
        Expr value = program.programs().get(0).row(cells);
        return Work.of(value).operations() + value.shape().numel();
    }
}
