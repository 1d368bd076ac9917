package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.sql.FunctionText.Example;
import io.github.broadloom.sql.TensorFunctions.Function;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.HiveResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.jdk.javaapi.CollectionConverters;

class FunctionsPageTest extends SqlTest {
    @Test
    void theCommittedPageIsTheOneThatTheFunctionsMake() throws IOException {
        assertThat(Files.readString(Path.of("../docs/sql-functions.md")))
                .as("run: examples/run functions > docs/sql-functions.md")
                .isEqualTo(FunctionsPage.markdown());
    }

    @Test
    void everyFunctionIsOnIt() {
        String page = FunctionsPage.markdown();
        assertThat(TensorFunctions.all())
                .allSatisfy(function -> assertThat(page).containsPattern("`" + function.name() + "[`(]"));
    }

    static Stream<Example> examples() {
        return Stream.concat(TensorFunctions.all().stream().map(Function::text), Stream.of(FunctionText.LANGUAGE))
                .flatMap(text -> text.examples().stream());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleGivesWhatItSays(Example example) {
        assertThat(CollectionConverters.asJava(HiveResult.hiveResultString(
                        spark.sql(example.query()).queryExecution().executedPlan())))
                .containsExactly(example.result());
    }

    @Test
    void sparkDescribesAFunction() {
        List<String> lines = spark.sql("DESCRIBE FUNCTION EXTENDED tensor_softplus").collectAsList().stream()
                .map((Row row) -> row.getString(0))
                .flatMap(String::lines)
                .map(String::strip)
                .toList();
        assertThat(lines)
                .contains(
                        "Function: tensor_softplus",
                        "* input - numbers, arrays of numbers, or arrays of arrays",
                        "* beta - a plain number; 1 where it is left out")
                .anyMatch(line -> line.startsWith("Usage: tensor_softplus(input, beta=1, threshold=20) - log("))
                .noneMatch(line -> line.contains("No example/argument"));
        assertThat(spark.sql("SHOW FUNCTIONS LIKE 'tensor_s*'").collectAsList())
                .extracting(row -> row.getString(0))
                .contains("tensor_std", "tensor_softplus", "tensor_slice");
    }
}
