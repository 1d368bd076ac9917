package io.github.broadloom.sql;

import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A function of SQL that looks at cells of tensors and computes nothing of them: their shape, their dtype, their missing elements. */
public final class CellFunction extends RowExpression {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** Of the first argument, settled when all are known: whatever the optimizer makes of a column later, it tells its shape here. */
    private @Nullable CellType input;

    interface Kind extends Serializable {
        default List<String> names() {
            return List.of("input");
        }

        /** @throws IllegalArgumentException naming the function, where the arguments have other types than it takes */
        DataType type(CellFunction call);

        default boolean isNullable(CellFunction call) {
            return call.arguments().get(0).nullable();
        }

        /** What is done in each row; it is serializable. */
        RowFunction function(CellFunction call);
    }

    /** Spark makes copies by calling this with the {@linkplain #parts parts}. */
    public CellFunction(String name, Object kind, Seq<Expression> children, @Nullable CellType input) {
        super(name, List.of(), children);
        this.kind = (Kind) kind;
        this.input = input;
    }

    private CellFunction(CellFunction that, Seq<Expression> children) {
        super(that, List.of(), children);
        this.kind = that.kind;
        this.input = that.input;
    }

    /** @throws IllegalArgumentException naming the argument, where it holds no numbers */
    CellType input() {
        CellType known = input;
        if (known == null) {
            known = cells(0);
            input = known;
        }
        return known;
    }

    @Override
    String argument(int index) {
        return kind.names().get(index);
    }

    @Override
    RowFunction function() {
        return kind.function(this);
    }

    @Override
    public boolean nullable() {
        return kind.isNullable(this);
    }

    @Override
    public DataType dataType() {
        List<String> names = kind.names();
        CallArguments.checkCount(prettyName(), arguments().size(), names, names.size(), names.size());
        return kind.type(this);
    }

    CellReader.Refusal refusal() {
        return site().refusal(dataType());
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode result) {
        String function = context.addReferenceObj("function", function(), RowFunction.class.getName());
        return RowCode.of(this, arguments(), function, context, result);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
        return new CellFunction(this, others);
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(prettyName(), kind, children(), input);
    }

    @Override
    Object meaning() {
        return kind;
    }
}
