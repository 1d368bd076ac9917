package io.github.broadloom.sql;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
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

    /** What such a function does. */
    interface Kind extends Serializable {
        /** The names of the arguments. */
        default List<String> names() {
            return List.of("input");
        }

        /**
         * The type of the value.
         *
         * @throws IllegalArgumentException naming the function, where the arguments have other types than it takes
         */
        DataType type(CellFunction call);

        /** Whether there may be no value. */
        default boolean isNullable(CellFunction call) {
            return call.arguments().get(0).nullable();
        }

        /** What is done in each row; it is serializable. */
        RowFunction function(CellFunction call);
    }

    /** Spark makes copies by calling this with the {@linkplain #productElement product}. */
    public CellFunction(String name, Object kind, Seq<Expression> children) {
        super(name, -1, children);
        this.kind = (Kind) kind;
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
        int given = arguments().size();
        if (given != kind.names().size()) {
            throw new IllegalArgumentException("Cannot call " + prettyName() + " with " + given + " argument"
                    + (given == 1 ? "" : "s") + "; it takes " + kind.names().size() + " ("
                    + String.join(", ", kind.names()) + ")");
        }
        return kind.type(this);
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode result) {
        String function = context.addReferenceObj("function", function(), RowFunction.class.getName());
        return RowCode.of(this, arguments(), function, context, result);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
        return new CellFunction(prettyName(), kind, others);
    }

    @Override
    public int productArity() {
        return 3;
    }

    @Override
    public Object productElement(int index) {
        return switch (index) {
            case 0 -> prettyName();
            case 1 -> kind;
            default -> children();
        };
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof CellFunction;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CellFunction that
                && prettyName().equals(that.prettyName())
                && children().equals(that.children());
    }

    @Override
    public int hashCode() {
        return Objects.hash(prettyName(), children());
    }
}
