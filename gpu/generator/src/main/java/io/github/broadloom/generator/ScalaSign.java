package io.github.broadloom.generator;

import io.github.broadloom.expr.ops.Op;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sign of a row as an operator of Scala.
 *
 * @param text as Scala writes it
 */
record ScalaSign(Op op, String text) {
    /** Scala would read {@code 2 * x ** 2} as {@code (2 * x) ** 2}, and what follows {@code //} not at all. */
    private static final Set<String> MISREAD = Set.of("**", "//");

    /** To Scala {@code ==} asks whether two handles are the same object. */
    private static final Map<String, String> OF_ELEMENTS = Map.of("==", "===", "!=", "=!=");

    private static final Map<String, String> ENCODED = Map.ofEntries(
            Map.entry("+", "$plus"),
            Map.entry("-", "$minus"),
            Map.entry("*", "$times"),
            Map.entry("/", "$div"),
            Map.entry("%", "$percent"),
            Map.entry("&", "$amp"),
            Map.entry("|", "$bar"),
            Map.entry("^", "$up"),
            Map.entry("~", "$tilde"),
            Map.entry("<", "$less"),
            Map.entry(">", "$greater"),
            Map.entry("=", "$eq"),
            Map.entry("!", "$bang"));

    static Stream<ScalaSign> all() {
        return Op.all().stream()
                .filter(op -> op.sign() != null && !MISREAD.contains(op.sign().text()))
                .map(op -> new ScalaSign(
                        op, OF_ELEMENTS.getOrDefault(op.sign().text(), op.sign().text())));
    }

    static Stream<ScalaSign> infix() {
        return all().filter(sign -> sign.op.arity() == 2);
    }

    /** The name of its method in a class file. */
    String method() {
        String encoded =
                text.chars().mapToObj(c -> ENCODED.get(Character.toString(c))).collect(Collectors.joining());
        return op.arity() == 1 ? "unary_" + encoded : encoded;
    }

    String usage() {
        return op.arity() == 1 ? "{@code " + text + "x}" : "{@code x " + text + " y}";
    }
}
