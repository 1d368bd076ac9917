package io.github.broadloom.sql;

import io.github.broadloom.sql.FunctionText.Kind;
import io.github.broadloom.sql.TensorFunctions.Function;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The documentation page of all functions of SQL, made of them: Markdown. */
public final class FunctionsPage {
    private static final String HEAD = """
            # Functions of SQL

            With `spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions` a session has these functions ([guide](guide/sql.md)); `DESCRIBE FUNCTION EXTENDED tensor_eval` tells the same of one, `SHOW FUNCTIONS LIKE 'tensor_*'` lists them, and `SELECT * FROM tensor_language()` lists what can be written in a text of `tensor_eval`. [ops.md](ops.md) says which dtypes they take and give, and how exact they are.
            Arguments may be named, `tensor_clamp(x, max => 6, min => 2)`; those with a default may be left out, and are the same in all rows. Dimensions and sizes are numbers, or arrays of them: `tensor_amax(x, array(0, 1))`; a dtype is a text, such as `'float64'`. Where an argument is NULL, so is the result, but for `tensor_fill_null` and aggregates. This page is made by `examples/run functions`.

            """;

    private FunctionsPage() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Kind kind : Kind.values()) {
            page.append("## ").append(kind.title()).append("\n\n");
            List<Function> functions = TensorFunctions.all().stream()
                    .filter(function -> function.text().kind() == kind)
                    .toList();
            if (kind.isOfLanguage()) {
                page.append("| function | other names | what it gives |\n| --- | --- | --- |\n");
                Map<FunctionText, List<Function>> rows = functions.stream()
                        .collect(Collectors.groupingBy(Function::text, LinkedHashMap::new, Collectors.toList()));
                rows.values().forEach(names -> row(page, names));
                page.append('\n');
            } else {
                functions.forEach(function -> chapter(page, function.name(), function.text()));
            }
            if (kind == Kind.EXPRESSION) {
                chapter(page, LanguageTable.NAME, FunctionText.LANGUAGE);
            }
        }
        return page.toString().stripTrailing() + "\n";
    }

    private static void chapter(StringBuilder page, String name, FunctionText text) {
        page.append("### `").append(call(name, text)).append("`\n\n");
        page.append(text.gives()).append("\n\n");
        text.arguments().forEach(argument -> page.append("- ").append(argument).append('\n'));
        if (text.examples().isEmpty()) {
            page.append('\n');
            return;
        }
        page.append(text.arguments().isEmpty() ? "```sql\n" : "\n```sql\n");
        text.examples()
                .forEach(example -> page.append(example.query())
                        .append(";\n-- ")
                        .append(example.result())
                        .append('\n'));
        page.append("```\n\n");
    }

    private static void row(StringBuilder page, List<Function> names) {
        Function first = names.get(0);
        String others = names.stream()
                .skip(1)
                .map(function -> "`" + function.name() + "`")
                .collect(Collectors.joining(", "));
        page.append("| `")
                .append(call(first.name(), first.text()))
                .append("` | ")
                .append(others);
        page.append(" | ").append(first.text().gives().replace("|", "\\|")).append(" |\n");
    }

    private static String call(String name, FunctionText text) {
        return name + "(" + text.signature() + ")";
    }
}
