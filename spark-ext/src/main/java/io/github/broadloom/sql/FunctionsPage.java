package io.github.broadloom.sql;

import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.sql.FunctionText.Kind;
import io.github.broadloom.sql.TensorFunctions.Function;
import java.util.List;
import java.util.stream.Collectors;

/** The documentation page of all functions of SQL, made of them: Markdown. */
public final class FunctionsPage {
    private static final String HEAD = """
            # Functions of SQL

            With `spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions` a session has these functions ([guide](guide/sql.md)); `DESCRIBE FUNCTION EXTENDED tensor_eval` tells the same of one, and `SHOW FUNCTIONS LIKE 'tensor_*'` lists them.
            Arguments may be named, `tensor_clamp(x, max => 6, min => 2)`; those with a default may be left out, and are plain numbers. Where an argument is NULL, so is the result, but for `tensor_fill_null` and aggregates. This page is made by `examples/run functions`.

            """;

    private FunctionsPage() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Kind kind : Kind.values()) {
            page.append("## ").append(kind.title()).append("\n\n");
            List<Function> functions = TensorFunctions.all().stream()
                    .filter(function -> function.text().kind() == kind)
                    .toList();
            if (kind == Kind.POINTWISE) {
                page.append("[ops.md](ops.md) says which dtypes they take and give, and how exact they are.\n\n"
                        + "| function | other names | what it gives |\n| --- | --- | --- |\n");
                functions.forEach(function -> row(page, function));
            } else {
                functions.forEach(function -> chapter(page, function));
            }
        }
        return page.toString();
    }

    private static void chapter(StringBuilder page, Function function) {
        FunctionText text = function.text();
        page.append("### `").append(call(function)).append("`\n\n");
        page.append(text.gives()).append("\n\n");
        text.arguments().forEach(argument -> page.append("- ").append(argument).append('\n'));
        page.append("\n```sql\n");
        text.examples()
                .forEach(example -> page.append(example.query())
                        .append(";\n-- ")
                        .append(example.result())
                        .append('\n'));
        page.append("```\n\n");
    }

    private static void row(StringBuilder page, Function function) {
        Op.find(function.name().substring(TensorFunctions.PREFIX.length())).ifPresent(op -> {
            String others = op.aliases().stream()
                    .map(alias -> "`" + TensorFunctions.PREFIX + alias + "`")
                    .collect(Collectors.joining(", "));
            page.append("| `").append(call(function)).append("` | ").append(others);
            page.append(" | ").append(function.text().gives()).append(" |\n");
        });
    }

    private static String call(Function function) {
        return function.name() + "(" + function.text().signature() + ")";
    }
}
