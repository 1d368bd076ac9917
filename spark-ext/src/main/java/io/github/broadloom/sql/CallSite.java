package io.github.broadloom.sql;

import io.github.broadloom.table.CellReader;
import java.io.Serializable;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.SparkIllegalArgumentException;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Where a query calls a function: what errors say of it. They have Spark's condition for functions that are not its own, so that Spark tells what a task met as the sentence that it is,
 * with the place in the query, and without the stack of the executor; clients of Connect know the condition, too.
 *
 * @param function as the user calls it
 * @param signature the types of the arguments
 * @param context the place in the text of the query, or in the program that made it; not valid where nobody knows
 */
record CallSite(String function, String signature, QueryContext context) implements Serializable {
    private static final String CONDITION = "FAILED_EXECUTE_UDF";

    /** @param context of the call, which an expression that came to an executor no longer knows */
    static CallSite of(Expression call, QueryContext context) {
        String signature = CollectionConverters.asJava(call.children()).stream()
                .map(argument -> argument.dataType().catalogString())
                .collect(Collectors.joining(", "));
        return new CallSite(call.prettyName(), signature, context);
    }

    /** @param why as a sentence goes on after the function and a colon */
    IllegalArgumentException refused(String why, DataType result) {
        return failed(new IllegalArgumentException(sentence(why)), result);
    }

    CellReader.Refusal refusal(DataType result) {
        return why -> refused(why, result);
    }

    /** The error of a row that the function does not take, which is the cause and says so in a sentence. */
    IllegalArgumentException failed(IllegalArgumentException cause, DataType result) {
        return new SparkIllegalArgumentException(CONDITION, parameters(cause, result), contexts(), summary(), cause);
    }

    /** The error of a row with whose numbers the function cannot compute: one is divided by an integer that is zero. */
    ArithmeticException failed(ArithmeticException cause, DataType result) {
        ArithmeticException said = new ArithmeticException(sentence(String.valueOf(cause.getMessage())));
        said.initCause(cause);
        ArithmeticException failed =
                new SparkArithmeticException(CONDITION, parameters(said, result), contexts(), summary());
        failed.initCause(said);
        return failed;
    }

    private String sentence(String why) {
        return "Cannot call " + function + ": " + why;
    }

    private scala.collection.immutable.Map<String, String> parameters(Exception cause, DataType result) {
        return scala.collection.immutable.Map.from(CollectionConverters.asScala(Map.of(
                "functionName",
                "`" + function + "`",
                "signature",
                signature,
                "result",
                result.catalogString(),
                "reason",
                cause.getMessage())));
    }

    private QueryContext[] contexts() {
        return summary().isEmpty() ? new QueryContext[0] : new QueryContext[] {context};
    }

    private String summary() {
        return context.summary();
    }
}
