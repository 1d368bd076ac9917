package io.github.broadloom.sql;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.ProductOfParts;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.TensorColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A function of SQL whose value for a row a {@link RowFunction} gives. */
abstract class RowExpression extends Expression implements Serializable, ProductOfParts {
    private static final long serialVersionUID = 1;

    private final String name;
    private final Seq<Expression> children;

    @SuppressWarnings("serial") // an ArrayList
    private final List<Expression> arguments;

    private final QueryContext context;
    private transient @Nullable RowFunction function;

    /** @param constants the places of children that are no cells */
    RowExpression(String name, List<Integer> constants, Seq<Expression> children) {
        this.name = name;
        this.children = children;
        this.context = origin().context();
        this.arguments = arguments(constants, children);
    }

    /** The same call with other children; on executors, too, which know no origin. */
    RowExpression(RowExpression that, List<Integer> constants, Seq<Expression> children) {
        this.name = that.name;
        this.children = children;
        this.context = that.context;
        this.arguments = arguments(constants, children);
    }

    private static List<Expression> arguments(List<Integer> constants, Seq<Expression> children) {
        List<Expression> arguments = new ArrayList<>();
        for (int place = 0; place < children.size(); place++) {
            if (!constants.contains(place)) {
                arguments.add(children.apply(place));
            }
        }
        return arguments;
    }

    /** What is done with the children: calls of one name are equal where this and these are. */
    abstract Object meaning();

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof RowExpression that
                && canEqual(that)
                && name.equals(that.name)
                && meaning().equals(that.meaning())
                && children.equals(that.children);
    }

    @Override
    public final int hashCode() {
        return Objects.hash(name, meaning(), children);
    }

    /** The children that are cells. */
    final List<Expression> arguments() {
        return arguments;
    }

    /** Where the query calls it; the arguments must be resolved. */
    final CallSite site() {
        return CallSite.of(this, context);
    }

    /** What is evaluated for each row, and handed to the {@link #function()}. */
    List<Expression> evaluated() {
        return arguments;
    }

    abstract RowFunction function();

    /** The name of an argument, by which errors speak of it. */
    abstract String argument(int index);

    /** @throws IllegalArgumentException naming the argument, where it holds no numbers */
    CellType cells(int index) {
        return cells(name, argument(index), arguments.get(index));
    }

    /** As {@link #cells(int)}, of any function's. */
    static CellType cells(String function, String name, Expression argument) {
        CellType type = CellType.of(argument.dataType())
                .orElseThrow(() -> new IllegalArgumentException("Cannot call " + function + ": " + name + " is "
                        + argument.dataType().sql() + "; give numbers or arrays of numbers" + cast(argument)));
        return TensorColumn.shape(argument).map(type::declaring).orElse(type);
    }

    /** How to make numbers of texts; of dates and the like it depends on what they stand for. */
    private static String cast(Expression argument) {
        DataType element = argument.dataType();
        int depth = 0;
        while (element instanceof ArrayType array) {
            element = array.elementType();
            depth++;
        }
        String numbers =
                new CellType(DType.FLOAT64, depth, null).dataType().sql().toLowerCase(Locale.ROOT);
        return element instanceof StringType ? ", such as cast(" + argument.sql() + " as " + numbers + ")" : "";
    }

    @Override
    public final Seq<Expression> children() {
        return children;
    }

    /** What Spark folds it computes on the driver, while it plans the query. */
    @Override
    public final boolean foldable() {
        return CollectionConverters.asJava(children).stream().allMatch(Expression::foldable) && isQuick();
    }

    /** Whether a call of constants takes so little that the planning of a query may wait for it. */
    boolean isQuick() {
        return true;
    }

    /** The type of the value says whether those of the arguments go together. */
    @Override
    public final TypeCheckResult checkInputDataTypes() {
        try {
            dataType();
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        } catch (IllegalArgumentException e) {
            return new TypeCheckResult.TypeCheckFailure(e.getMessage());
        }
    }

    @Override
    public final @Nullable Object eval(InternalRow row) {
        List<Expression> evaluated = evaluated();
        @Nullable Object[] cells = new Object[evaluated.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = evaluated.get(i).eval(row);
        }
        synchronized (this) { // nothing says that an interpreted projection serves one thread
            RowFunction known = function;
            if (known == null) {
                known = function();
                function = known;
            }
            return known.evaluate(cells);
        }
    }

    @Override
    public final String prettyName() {
        return name;
    }

    @Override
    public final Iterator<Object> stringArgs() {
        return CollectionConverters.asScala(
                        CollectionConverters.asJava(children).iterator())
                .map(child -> child);
    }
}
