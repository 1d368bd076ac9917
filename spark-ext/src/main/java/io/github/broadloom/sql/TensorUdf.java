package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.expr.parse.ExprNames;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;
import scala.collection.immutable.Seq;

/**
 * A string expression as a function of columns, for sessions without {@link BroadloomExtensions}:
 *
 * <pre>{@code
 * TensorUdf standardize = TensorUdf.of("(x - m) / s");
 * table.withColumn("y", standardize.apply(col("pixels"), col("mean"), lit(2)));
 * standardize.register(spark, "standardize");                            // for spark.sql and functions.expr
 * }</pre>
 *
 * <p>The arguments stand for the names in the order in which they first appear. Cells are numbers and arrays of numbers, which broadcast and promote as in
 * {@code tensor_eval}; null in, null out. Spark knows the type of the result from those of the arguments when it analyses the query, and says there what does not fit.
 */
public final class TensorUdf implements Serializable {
    private static final long serialVersionUID = 1;
    private static final String EVAL = "tensor_eval";

    private final String text;

    private TensorUdf(String text) {
        this.text = text;
    }

    /**
     * The function of an expression.
     *
     * @throws io.github.broadloom.expr.parse.ExprSyntaxException where the text has no words of an expression
     */
    public static TensorUdf of(String text) {
        var unused = ExprNames.of(text);
        return new TensorUdf(text);
    }

    /** The names that the arguments stand for, in order. */
    public List<String> arguments() {
        return ExprNames.of(text);
    }

    /**
     * The value of the expression in each row.
     *
     * @param arguments one for each name; literals of Spark are plain numbers, as in Python
     */
    public Column apply(Column... arguments) {
        List<Expression> children =
                new ArrayList<>(List.of(new Literal(UTF8String.fromString(text), DataTypes.StringType)));
        Stream.of(arguments).map(ExpressionUtils::expression).forEach(children::add);
        return ExpressionUtils.column(
                TensorFunction.of(EVAL, new Template.Text(text), List.of(0), Scala.seq(children)));
    }

    /** Makes it a function of the session's SQL under a name, in the place of another one of that name. */
    public void register(SparkSession session, String name) {
        Function1<Seq<Expression>, Expression> builder =
                arguments -> TensorFunction.of(name, new Template.Text(text), List.of(), arguments);
        ((org.apache.spark.sql.classic.SparkSession) session)
                .sessionState()
                .functionRegistry()
                .createOrReplaceTempFunction(name, builder, "java_udf");
    }

    @Override
    public String toString() {
        return text;
    }
}
