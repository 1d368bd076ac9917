package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of tensors in a string expression, for a caller who gives the tensors in their order. */
public final class ExprNames {
    private static final Set<String> DTYPES =
            Stream.of(DType.values()).map(DType::torchName).collect(Collectors.toSet());

    private ExprNames() {}

    /**
     * The names that stand for tensors, each once, in the order in which they first appear: no functions, methods, keywords, dtypes or
     * constants such as {@code pi}.
     *
     * @throws ExprSyntaxException where the text cannot be cut into words
     */
    public static List<String> of(String text) {
        List<Token> tokens = ExprLexer.tokens(text);
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Kind.NAME && !isWord(token.text())) {
                Token after = tokens.get(i + 1); // there is always the end
                boolean isMethod = i > 0 && tokens.get(i - 1).is(".");
                if (!isMethod && !after.is("(") && !after.is("=")) {
                    names.add(token.text());
                }
            }
        }
        return List.copyOf(names);
    }

    private static boolean isWord(String name) {
        return ExprSyntax.CONSTANTS.containsKey(name)
                || ExprSyntax.REMEDIES.containsKey(name)
                || DTYPES.contains(name)
                || name.equals("None");
    }
}
