package io.github.broadloom.tools.commands;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.UserError;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The expressions of a command, {@code EXPR} or {@code NAME = EXPR}, of which a later one may use the names of those before, and where their values go.
 *
 * @param files what is written, by where it goes
 */
record Program(List<Statement> statements, Map<String, Statement> files) {
    private static final Pattern NAMED =
            Pattern.compile("\\s*(" + Binding.NAME + ")\\s*=(?!=)\\s*(.*)", Pattern.DOTALL);
    private static final Pattern NAMED_FILE = Pattern.compile("(" + Binding.NAME + ")=(.+)");

    /** @param name empty for the only one that has none */
    record Statement(String name, String expression) {
        static Statement parse(String text) {
            Matcher named = NAMED.matcher(text);
            return named.matches() ? new Statement(named.group(1), named.group(2)) : new Statement("", text);
        }

        boolean uses(String other) {
            return !other.isEmpty()
                    && Pattern.compile("(?<![\\w.])" + other + "(?!\\w|\\s*\\()")
                            .matcher(expression)
                            .find();
        }
    }

    /**
     * @param texts as they were given
     * @param outs {@code FILE} of the only one, or {@code NAME=FILE}
     * @param inputs the names that are given
     * @throws UserError where a name is missing or is given twice, or nobody can tell what goes to a file
     */
    static Program parse(List<String> texts, List<String> outs, Set<String> inputs) {
        List<Statement> statements = texts.stream().map(Statement::parse).toList();
        Set<String> names = new HashSet<>(inputs);
        for (Statement statement : statements) {
            if (statement.name.isEmpty() && statements.size() > 1) {
                throw new UserError("Cannot tell what '" + statement.expression
                        + "' is for: of several expressions each has a name, as in 'y = x - 1'");
            }
            if (!statement.name.isEmpty() && !names.add(statement.name)) {
                throw new UserError("Cannot give the name " + statement.name + " twice: "
                        + (inputs.contains(statement.name) ? "it is an input" : "two expressions have it"));
            }
        }
        Map<String, Statement> files = new LinkedHashMap<>();
        for (String out : outs) {
            Matcher named = NAMED_FILE.matcher(out);
            @Nullable Statement only = statements.size() == 1 ? statements.get(0) : null;
            @Nullable Statement statement = named.matches() ? named(statements, named.group(1)) : null;
            String file = statement == null ? out : named.group(2);
            if (statement == null && only == null) {
                throw new UserError("Cannot tell what goes to " + out + ": write --out NAME=FILE with one of "
                        + statements.stream().map(Statement::name).collect(Collectors.joining(", ")));
            }
            if (files.put(file, statement == null ? only : statement) != null) {
                throw new UserError("Cannot write " + file + " twice: name another file");
            }
        }
        return new Program(statements, files);
    }

    private static @Nullable Statement named(List<Statement> statements, String name) {
        return statements.stream()
                .filter(statement -> statement.name.equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The value of each expression. */
    Map<Statement, Expr> values(Map<String, Expr> inputs, Function<Expr, Tensor> elements) {
        Map<String, Expr> names = new LinkedHashMap<>(inputs);
        Map<Statement, Expr> values = new LinkedHashMap<>();
        for (Statement statement : statements) {
            Expr value = ExprParser.parse(statement.expression, names, elements);
            values.put(statement, value);
            names.put(statement.name, value);
        }
        return values;
    }

    /** What the command is for: what is written, else what no later expression uses. */
    List<Statement> ends() {
        return files.isEmpty()
                ? statements.stream()
                        .filter(statement -> !isUsed(statement.name))
                        .toList()
                : List.copyOf(new LinkedHashSet<>(files.values()));
    }

    boolean isUsed(String name) {
        return statements.stream().anyMatch(statement -> statement.uses(name));
    }

    /** The names of values that are neither written nor used. */
    List<String> idle() {
        Set<Statement> ends = Set.copyOf(ends());
        return statements.stream()
                .filter(statement -> !ends.contains(statement) && !isUsed(statement.name))
                .map(Statement::name)
                .toList();
    }
}
