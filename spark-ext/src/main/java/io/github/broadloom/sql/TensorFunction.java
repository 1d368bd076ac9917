package io.github.broadloom.sql;

import io.github.broadloom.device.Work;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.sql.TensorProgram.Argument;
import io.github.broadloom.sql.TensorProgram.Cells;
import io.github.broadloom.sql.nearest.TensorRanking;
import io.github.broadloom.table.CellReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionEquals;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A function of tensors in SQL: pointwise over numbers and nested arrays of them, which broadcast. Numbers that are written into the query
 * promote as Python's do, columns of numbers as zero-dim tensors, and where there is nothing but numbers, each has the type that SQL gives it.
 * Null in, null out.
 *
 * <p>The types are settled once, when all arguments are known: whatever the optimizer makes of these later, a column stays a column.
 */
public final class TensorFunction extends RowExpression implements TensorRanking {
    private static final long serialVersionUID = 1;
    /**
     * How many operations on elements the planning of a query may wait for: less than a tenth of a second. An element of the result counts as one, for Spark keeps it
     * in the plan.
     */
    private static final double MOST_OPERATIONS = 1 << 24;

    private final Template template;
    /** The places of children that are no tensors: the template has them already. */
    @SuppressWarnings("serial") // List.copyOf
    private final List<Integer> constants;

    private @Nullable TensorProgram program;
    private transient @Nullable Fusion fusion;
    private transient @Nullable Boolean quick;

    /** Spark makes copies by calling this with the {@linkplain #parts parts}. */
    public TensorFunction(
            String name,
            Template template,
            List<Integer> constants,
            Seq<Expression> children,
            @Nullable TensorProgram program) {
        super(name, constants, children);
        this.template = template;
        this.constants = List.copyOf(constants);
        this.program = program;
    }

    private TensorFunction(TensorFunction that, Seq<Expression> children) {
        super(that, that.constants, children);
        this.template = that.template;
        this.constants = that.constants;
        this.program = that.program;
    }

    static TensorFunction of(String name, Template template, List<Integer> constants, Seq<Expression> children) {
        return new TensorFunction(name, template, constants, children, null);
    }

    /** A call that means nothing, which is refused when the query is analysed. */
    static TensorFunction refused(String name, String why) {
        return of(name, new Template.Refused(why), List.of(), Scala.seq(List.of()));
    }

    TensorProgram program() {
        TensorProgram known = program;
        if (known == null) {
            known = new TensorProgram(site(), template, types());
            program = known;
        }
        return known;
    }

    private List<Argument> types() {
        List<Argument> types = new ArrayList<>();
        int place = 0;
        List<Expression> given = arguments();
        boolean hasCells = given.stream().anyMatch(argument -> !(argument instanceof Literal));
        for (int i = 0; i < given.size(); i++) {
            Expression argument = given.get(i);
            boolean isPlain = hasCells || argument.dataType() instanceof DecimalType;
            Optional<Object> number = template.isNumber(i)
                    ? CallArguments.constantNumber(argument)
                    : isPlain ? CallArguments.plainNumber(argument) : Optional.empty();
            types.add(number.isPresent() ? new TensorProgram.Number(number.get()) : new Cells(cells(i), place++));
        }
        return types;
    }

    @Override
    String argument(int index) {
        return template.argument(index);
    }

    /** This function with those among its arguments, each of which is evaluated with it. */
    private Fusion fusion() {
        Fusion known = fusion;
        if (known == null) {
            known = Fusion.of(List.of(this));
            fusion = known;
        }
        return known;
    }

    @Override
    public RowValue rowValue() {
        Fusion all = fusion();
        TensorProgram value = all.program().programs().get(0);
        return new RowValue(all.cells(), all.types(), value::row);
    }

    /** Whether the value is the same in all rows: nothing of a row is read. */
    boolean isConstant() {
        return arguments().stream()
                .allMatch(argument ->
                        argument instanceof TensorFunction inner ? inner.isConstant() : argument.foldable());
    }

    @Override
    boolean isQuick() {
        Boolean known = quick;
        if (known == null) {
            known = !childrenResolved() || isQuick(fusion());
            quick = known;
        }
        return known;
    }

    /** Whether a call of constants takes little, counted from the shapes of its cells before anything is computed; so does what cannot be computed at all, for then Spark tells why while it plans. */
    private static boolean isQuick(Fusion call) {
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

    @Override
    List<Expression> evaluated() {
        return fusion().cells();
    }

    @Override
    RowFunction function() {
        BatchProgram all = fusion().program();
        return isConstant() ? RowEvaluator.once(all) : RowEvaluator.of(all);
    }

    @Override
    public boolean nullable() {
        return arguments().stream().anyMatch(Expression::nullable);
    }

    @Override
    public DataType dataType() {
        return program().result().dataType();
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode result) {
        Fusion fused = Fusion.of(
                List.of(this), function -> context.subExprEliminationExprs().contains(new ExpressionEquals(function)));
        String known = context.addReferenceObj("program", fused.program(), Object.class.getName());
        String evaluator = context.addMutableState(
                RowFunction.class.getName(),
                "tensors",
                name -> name + " = " + RowEvaluator.class.getName() + (isConstant() ? ".once(" : ".of(") + known + ");",
                true,
                true);
        return RowCode.of(this, fused.cells(), evaluator, context, result);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
        return new TensorFunction(this, others);
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(prettyName(), template, constants, children(), program);
    }

    @Override
    Object meaning() {
        return template;
    }
}
