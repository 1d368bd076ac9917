package io.github.broadloom.sql;

import io.github.broadloom.exec.SparkVersion;
import io.github.broadloom.sql.nearest.FilterLeftFirst;
import io.github.broadloom.sql.nearest.NearestStrategy;
import io.github.broadloom.sql.nearest.TakeNearestBy;
import java.io.Serializable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
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
        SparkVersion.check();
        for (TensorFunctions.Function function : TensorFunctions.all()) {
            extensions.injectFunction(
                    new Tuple3<>(new FunctionIdentifier(function.name()), function.info(), builder(function)));
        }
        Function1<Seq<Expression>, LogicalPlan> language = LanguageTable::rows;
        extensions.injectTableFunction(
                new Tuple3<>(new FunctionIdentifier(LanguageTable.NAME), LanguageTable.info(), language));
        extensions.injectResolutionRule(session -> new ArgumentTypes());
        extensions.injectHintResolutionRule(session -> new BroadloomCatalog.Calls());
        extensions.injectPostHocResolutionRule(session -> new TakeNearestBy());
        extensions.injectOptimizerRule(session -> new FilterLeftFirst());
        extensions.injectOptimizerRule(session -> new KeysFirst());
        extensions.injectPlannerStrategy(session -> new NearestStrategy());
        extensions.injectColumnar(session -> new BatchTensors());
        extensions.injectQueryStagePrepRule(session -> new BatchTensors.Batching());
        return BoxedUnit.UNIT;
    }

    /**
     * Gives the functions to a session that was started without the setting; those it has already stay. Spark takes rules for the plan only when a session starts: without the setting the
     * functions compute row by row, take neither decimals nor NULL without a type, and {@code tensor_language()} is not there.
     *
     * @throws IllegalArgumentException for a client of Spark Connect, whose server needs the setting
     */
    public static void register(SparkSession session) {
        if (!(session instanceof org.apache.spark.sql.classic.SparkSession classic)) {
            throw new IllegalArgumentException(
                    "Cannot give functions to a session of Spark Connect: start its server with spark.sql.extensions="
                            + BroadloomExtensions.class.getName());
        }
        FunctionRegistry registry = classic.sessionState().functionRegistry();
        FunctionIdentifier beside = ofSpark(registry);
        for (TensorFunctions.Function function : TensorFunctions.all()) {
            FunctionIdentifier name = new FunctionIdentifier(function.name(), beside.database(), beside.catalog());
            if (!registry.functionExists(name)) {
                registry.registerFunction(name, function.info(), builder(function));
            }
        }
    }

    /** One of Spark's own functions: they have a catalog and a database since 4.2, under which alone it finds them. */
    private static FunctionIdentifier ofSpark(FunctionRegistry registry) {
        return CollectionConverters.asJava(registry.listFunction()).stream()
                .filter(function -> function.funcName().equals("abs"))
                .findFirst()
                .orElseThrow();
    }

    private static Function1<Seq<Expression>, Expression> builder(TensorFunctions.Function function) {
        return function.builder()::build;
    }
}
