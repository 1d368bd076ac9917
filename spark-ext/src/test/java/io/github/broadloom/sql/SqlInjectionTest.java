package io.github.broadloom.sql;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprNames;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.debug.package$;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import scala.jdk.javaapi.CollectionConverters;

/** What a user writes gets into generated source through the table of operations alone: hostile texts are refused or computed, and none is executed. */
class SqlInjectionTest extends SqlTest {
    private static final String MARK = "Gotcha";
    private static final String ATTACK = "System.setProperty(\"" + MARK + "\", \"1\")";

    /** Ends of comments, strings, statements and blocks, also as Java's escapes, and places of templates. */
    static final List<String> HOSTILE = List.of(
            "x; " + ATTACK + ";",
            "x */ " + ATTACK + "; /*",
            "x \\u002a\\u002f " + ATTACK + "; /*",
            "x \\u000a } static { " + ATTACK + "; } {",
            "x \" + " + ATTACK + " + \"",
            "x ' " + MARK,
            "x\n} static { " + ATTACK + "; } {",
            "x // " + MARK,
            "x /* " + MARK,
            "$" + MARK,
            "${" + MARK + "}",
            "$0" + MARK,
            "x`" + MARK,
            "x\0" + MARK,
            MARK,
            MARK + "(x)",
            "x." + MARK + "()",
            "x." + MARK,
            "x.to(" + MARK + ")",
            "x.sum(dim=" + MARK + ")",
            "x[" + MARK + "]",
            "x[0] + " + MARK + "[0]",
            "x + 1" + MARK,
            "x + 0x1" + MARK,
            ATTACK);

    /** Names that are something to Java. */
    static final List<String> NAMES = List.of(
            MARK + " - 3",
            "2 / class_" + MARK,
            "this_" + MARK + " + 1",
            "_" + MARK + " * 2",
            "where(" + MARK + " > 1, " + MARK + ", 0)");

    @BeforeEach
    void rowByRow() {
        spark.conf()
                .set("spark.broadloom.sql.batches", "never"); // then the functions are in the code that Spark generates
    }

    @AfterEach
    void nothingWasExecuted() {
        assertThat(System.getProperty(MARK)).isNull();
    }

    private static Dataset<Row> table() {
        return spark.range(2).selectExpr("array(float(id), 2f) as x");
    }

    /** The values, whose code has nothing of the text; empty where the analysis says in a sentence why there are none. */
    private static Optional<List<Row>> values(Dataset<Row> table, Column column) {
        Dataset<Row> rows;
        try {
            rows = table.select(column);
        } catch (Exception e) {
            assertThat(e)
                    .isInstanceOf(AnalysisException.class)
                    .message()
                    .containsPattern("Cannot (call|parse|read|find)");
            return Optional.empty();
        }
        List<String> code =
                CollectionConverters.asJava(package$.MODULE$.codegenStringSeq(
                                rows.queryExecution().executedPlan()))
                        .stream()
                        .map(stage -> stage._2())
                        .toList();
        assertThat(code).isNotEmpty();
        assertThat(String.join("\n", code)).contains("RowEvaluator").doesNotContain(MARK);
        return Optional.of(rows.collectAsList());
    }

    private static Column call(String function, String text, int tensors) {
        List<Column> arguments = new ArrayList<>();
        for (int i = 0; i < tensors; i++) {
            arguments.add(col("x"));
        }
        arguments.add(function.equals("tensor_slice") ? 1 : 0, lit(text));
        return call_function(function, arguments.toArray(Column[]::new));
    }

    /** As many as the text has names, or one where it is no expression. */
    private static int names(String text) {
        try {
            return ExprNames.of(text).size();
        } catch (IllegalArgumentException e) {
            return 1;
        }
    }

    static final List<String> EXPRESSIONS =
            Stream.concat(HOSTILE.stream(), NAMES.stream()).toList();

    @ParameterizedTest
    @FieldSource("EXPRESSIONS")
    void anExpression(String text) {
        values(table(), call("tensor_eval", text, names(text)));
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void aNameIsComputedAndStandsInNoSource(String text) {
        assertThat(values(table(), call("tensor_eval", text, 1))).isPresent();
        Map<String, Expr> tensors = new HashMap<>();
        ExprNames.of(text).forEach(name -> tensors.put(name, Input.of(Tensors.ones(8, 8))));
        String source = Devices.backend(Device.CPU).explain(ExprParser.parse(text, tensors), Backend.Detail.SOURCE);
        assertThat(source).contains("class").doesNotContain(MARK);
    }

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void aSlice(String text) {
        assertThat(values(table(), call("tensor_slice", text, 1))).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void anArgumentThatIsNoNumber(String text) {
        assertThat(values(table(), call_function("tensor_add", col("x"), lit(text))))
                .isEmpty();
        assertThat(values(table(), call_function("tensor_fill_null", col("x"), lit(text))))
                .isEmpty();
        assertThat(values(table(), call_function("tensor_clamp", col("x"), lit(text))))
                .isEmpty();
    }

    @ParameterizedTest
    @FieldSource("HOSTILE")
    void aColumn(String name) {
        Column quoted = col("`" + name.replace("`", "``") + "`");
        Dataset<Row> table = table().toDF(name);
        List<Row> rows = values(
                        table, call_function("tensor_add", quoted, lit(1)).as("y " + name))
                .orElseThrow();
        assertThat(rows.get(1).<Object>getList(0)).isEqualTo(List.of(2f, 3f));
    }
}
