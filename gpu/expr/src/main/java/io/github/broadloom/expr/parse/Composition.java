package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.NanEquality;
import io.github.broadloom.expr.ops.Op;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function of the string language that is made of rows of the table; see {@link Compositions}.
 *
 * @param arguments PyTorch's names of all arguments
 * @param required how many of them must be given
 * @param signature the arguments with their defaults, for people
 * @param doc one line for the documentation
 * @param builder makes the expression of the values of a call
 */
record Composition(
        String name,
        List<String> arguments,
        int required,
        String signature,
        String doc,
        Function<CallValues, Expr> builder) {

    private static final Map<String, Composition> BY_NAME = table(
            of(
                    "clamp",
                    "input, min=None, max=None",
                    "Held between bounds, of which either may be missing.",
                    call -> Compositions.clamp(call.expr(0), call.orNull(1), call.orNull(2))),
            of(
                    "div",
                    "input, other, rounding_mode=None",
                    "The quotient; rounded with 'trunc' or 'floor'.",
                    call -> Compositions.div(call.expr(0), call.expr(1), call.text(2))),
            of(
                    "rsub",
                    "input, other",
                    "The second less the first.",
                    call -> Compositions.rsub(call.expr(0), call.expr(1))),
            of(
                    "positive",
                    "input",
                    "The operand itself; bools are refused.",
                    call -> Compositions.positive(call.expr(0))),
            of(
                    "round",
                    "input, decimals=None",
                    "Rounded to the nearest, halves to even; with decimals x times a power of ten, over that power.",
                    call -> Compositions.round(call.expr(0), call.integer(1))),
            of("deg2rad", "input", "Degrees as radians.", call -> Compositions.deg2rad(call.expr(0))),
            of("rad2deg", "input", "Radians as degrees.", call -> Compositions.rad2deg(call.expr(0))),
            of(
                    "isclose",
                    "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
                    "Whether |input - other| is at most atol + rtol * |other|.",
                    call -> Compositions.isclose(
                            call.expr(0),
                            call.expr(1),
                            call.real(2, 1e-5),
                            call.real(3, 1e-8),
                            call.flag(4) ? NanEquality.EQUAL : NanEquality.DIFFERENT)),
            of(
                    "logit",
                    "input, eps=None",
                    "log(x / (1 - x)), of x held between eps and 1 - eps if given.",
                    call -> Compositions.logit(call.expr(0), call.has(1) ? (Double) call.real(1, 0) : null)),
            of(
                    "gelu",
                    "input, approximate='none'",
                    "The value times the normal distribution function at it.",
                    call -> Compositions.gelu(call.expr(0), call.text(1, "none"))),
            of(
                    "hardtanh",
                    "input, min_val=-1, max_val=1",
                    "Held between two numbers.",
                    call -> Compositions.hardtanh(call.expr(0), call.number(1, -1), call.number(2, 1))),
            of("relu6", "input", "Held between 0 and 6.", call -> Compositions.relu6(call.expr(0))),
            of("softsign", "input", "x / (1 + |x|).", call -> Compositions.softsign(call.expr(0))),
            of("tanhshrink", "input", "x - tanh(x).", call -> Compositions.tanhshrink(call.expr(0))),
            of(
                    "selu",
                    "input",
                    "elu with the constants that keep mean and variance.",
                    call -> Compositions.selu(call.expr(0))),
            of(
                    "celu",
                    "input, alpha=1.0",
                    "elu(x, alpha) of x / alpha below zero.",
                    call -> Compositions.celu(call.expr(0), call.real(1, 1))));

    private static Composition of(String name, String signature, String doc, Function<CallValues, Expr> builder) {
        List<String> all = List.of(signature.split(", "));
        int required =
                (int) all.stream().filter(argument -> !argument.contains("=")).count();
        List<String> names =
                all.stream().map(argument -> argument.replaceFirst("=.*", "")).toList();
        return new Composition(name, names, required, signature, doc, builder);
    }

    private static Map<String, Composition> table(Composition... rows) {
        Map<String, Composition> table = new LinkedHashMap<>();
        for (Composition row : rows) {
            table.put(row.name(), row);
        }
        return Collections.unmodifiableMap(table);
    }

    /** The composition of that name, or of that other name of the row that it extends. */
    static @Nullable Composition find(String name) {
        String own = Op.findByAnyName(name).map(Op::name).orElse(name);
        return BY_NAME.get(own);
    }

    /** All compositions, in the order of the documentation. */
    static List<Composition> all() {
        return List.copyOf(BY_NAME.values());
    }
}
