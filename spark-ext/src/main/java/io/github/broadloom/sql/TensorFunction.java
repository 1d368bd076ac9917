package io.github.broadloom.sql;

import io.github.broadloom.sql.TensorProgram.Argument;
import io.github.broadloom.sql.TensorProgram.Cells;
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
public final class TensorFunction extends RowExpression {
    private static final long serialVersionUID = 1;

    private final Template template;
    /** The child that is no tensor but a text of the template; -1 where none is. */
    private final int text;

    private @Nullable TensorProgram program;
    private transient @Nullable Fusion fusion;
    private transient @Nullable Boolean quick;

    /** Spark makes copies by calling this with the {@linkplain #parts parts}. */
    public TensorFunction(
            String name, Template template, int text, Seq<Expression> children, @Nullable TensorProgram program) {
        super(name, text, children);
        this.template = template;
        this.text = text;
        this.program = program;
    }

    private TensorFunction(TensorFunction that, Seq<Expression> children) {
        super(that, that.text, children);
        this.template = that.template;
        this.text = that.text;
        this.program = that.program;
    }

    /**
     * A call.
     *
     * @param text the child that is no tensor but a text, which the template has; -1 where none is
     */
    static TensorFunction of(String name, Template template, int text, Seq<Expression> children) {
        return new TensorFunction(name, template, text, children, null);
    }

    /** What is computed; the children must be resolved. */
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
                    ? PlainNumber.constant(argument)
                    : isPlain ? PlainNumber.of(argument) : Optional.empty();
            types.add(number.isPresent() ? new TensorProgram.Number(number.get()) : new Cells(cells(i), place++));
        }
        return types;
    }

    @Override
    String argument(int index) {
        List<String> names = template.arguments();
        return names.isEmpty() ? "the argument" : names.get(Math.min(index, names.size() - 1));
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
            known = !childrenResolved() || ConstantWork.isQuick(fusion());
            quick = known;
        }
        return known;
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
    List<@Nullable Object> parts() {
        return Arrays.asList(prettyName(), template, text, children(), program);
    }

    @Override
    Object meaning() {
        return template;
    }
}
