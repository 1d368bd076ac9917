package io.github.broadloom.sql;

import java.io.Serializable;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Tensors in SQL. With the setting {@code spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions} every operation of the table is a
 * function {@code tensor_<name>} over numbers, arrays of numbers and arrays of arrays, which broadcast; {@code tensor_eval('(x - m) / s', a,
 * b, c)} evaluates a whole expression at once.
 */
public final class BroadloomExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Made by Spark, by the name of the class. */
    public BroadloomExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (TensorFunctions.Function function : TensorFunctions.all()) {
            Function1<Seq<Expression>, Expression> builder = function.builder()::build;
            extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(function.name()), function.info(), builder));
        }
        extensions.injectResolutionRule(session -> new ArgumentTypes());
        extensions.injectColumnar(session -> new BatchTensors());
        return BoxedUnit.UNIT;
    }
}
