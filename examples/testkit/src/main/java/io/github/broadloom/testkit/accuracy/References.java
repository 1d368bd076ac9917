package io.github.broadloom.testkit.accuracy;

import static io.github.broadloom.testkit.accuracy.Exact.PRECISION;

import ch.obermuhlner.math.big.BigDecimalMath;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The operations in arithmetic of {@link Exact#PRECISION}, by name: independent of the kernels. */
final class References {
    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigDecimal SIX = BigDecimal.valueOf(6);

    private static final Map<String, UnaryOperator<BigDecimal>> UNARY = Map.ofEntries(
            Map.entry("sqrt", x -> BigDecimalMath.sqrt(x, PRECISION)),
            Map.entry("rsqrt", x -> ONE.divide(BigDecimalMath.sqrt(x, PRECISION), PRECISION)),
            Map.entry("reciprocal", x -> ONE.divide(x, PRECISION)),
            Map.entry("square", x -> x.multiply(x)),
            Map.entry("exp", Exact::exp),
            Map.entry("exp2", x -> Exact.exp(x.multiply(Exact.LOG_2))),
            Map.entry("expm1", x -> Exact.exp(x).subtract(ONE)),
            Map.entry("log", Exact::log),
            Map.entry("log2", x -> Exact.log(x).divide(Exact.LOG_2, PRECISION)),
            Map.entry("log10", x -> Exact.log(x).divide(Exact.log(BigDecimal.TEN), PRECISION)),
            Map.entry("log1p", Exact::log1p),
            Map.entry("sin", x -> BigDecimalMath.sin(x, PRECISION)),
            Map.entry("cos", x -> BigDecimalMath.cos(x, PRECISION)),
            Map.entry("tan", x -> BigDecimalMath.tan(x, PRECISION)),
            Map.entry("asin", x -> BigDecimalMath.asin(x, PRECISION)),
            Map.entry("acos", x -> BigDecimalMath.acos(x, PRECISION)),
            Map.entry("atan", x -> BigDecimalMath.atan(x, PRECISION)),
            Map.entry("sinh", x -> Exact.exp(x).subtract(Exact.exp(x.negate())).divide(TWO)),
            Map.entry("cosh", x -> Exact.exp(x).add(Exact.exp(x.negate())).divide(TWO)),
            Map.entry("tanh", Exact::tanh),
            Map.entry("asinh", x -> BigDecimalMath.asinh(x, PRECISION)),
            Map.entry("acosh", x -> BigDecimalMath.acosh(x, PRECISION)),
            Map.entry("atanh", x -> BigDecimalMath.atanh(x, PRECISION)),
            Map.entry("erf", x -> ONE.subtract(Exact.erfc(x))),
            Map.entry("erfc", Exact::erfc),
            Map.entry("lgamma", Exact::lgamma),
            Map.entry("sinc", References::sinc),
            Map.entry("logit", x -> Exact.log(x.divide(ONE.subtract(x), PRECISION))),
            Map.entry("sigmoid", Exact::sigmoid),
            Map.entry("silu", x -> x.multiply(Exact.sigmoid(x))),
            Map.entry("gelu", References::gelu),
            Map.entry("gelu_tanh", References::geluTanh),
            Map.entry("mish", x -> x.multiply(Exact.tanh(Exact.log1p(Exact.exp(x))))),
            Map.entry("softplus", x -> x.compareTo(BigDecimal.valueOf(20)) > 0 ? x : Exact.log1p(Exact.exp(x))),
            Map.entry("logsigmoid", x -> Exact.log1p(Exact.exp(x.negate())).negate()),
            Map.entry("elu", x -> x.signum() < 0 ? Exact.exp(x).subtract(ONE) : x),
            Map.entry("hardsigmoid", References::sixth),
            Map.entry("hardswish", x -> x.multiply(sixth(x))));

    private static final Map<String, BinaryOperator<BigDecimal>> BINARY = Map.of(
            "add", BigDecimal::add,
            "sub", BigDecimal::subtract,
            "mul", BigDecimal::multiply,
            "div", (x, y) -> x.divide(y, PRECISION),
            "pow", (x, y) -> Exact.exp(y.multiply(Exact.log(x))),
            "atan2", (y, x) -> BigDecimalMath.atan2(y, x, PRECISION),
            "hypot", (x, y) -> BigDecimalMath.sqrt(x.multiply(x).add(y.multiply(y)), PRECISION),
            "xlogy", (x, y) -> x.multiply(Exact.log(y)),
            "logaddexp", (x, y) -> Exact.log(Exact.exp(x).add(Exact.exp(y))),
            "logaddexp2", (x, y) -> Exact.log(power(x).add(power(y))).divide(Exact.LOG_2, PRECISION));

    private References() {}

    /**
     * The value of an operation at a finite argument; nothing where it is not a finite number.
     *
     * @throws IllegalArgumentException for an operation that has no reference
     */
    static Optional<BigDecimal> unary(String op, double argument) {
        UnaryOperator<BigDecimal> reference = known(UNARY, op);
        return inDomain(() -> reference.apply(new BigDecimal(argument)));
    }

    static Optional<BigDecimal> binary(String op, double first, double second) {
        BinaryOperator<BigDecimal> reference = known(BINARY, op);
        return inDomain(() -> reference.apply(new BigDecimal(first), new BigDecimal(second)));
    }

    private static <T> T known(Map<String, T> references, String op) {
        return Optional.ofNullable(references.get(op))
                .orElseThrow(() ->
                        new IllegalArgumentException("Cannot find a reference for " + op + "; measure it in float32"));
    }

    private static Optional<BigDecimal> inDomain(Supplier<BigDecimal> value) {
        try {
            return Optional.of(value.get());
        } catch (ArithmeticException outside) { // as BigDecimalMath says it
            return Optional.empty();
        }
    }

    static boolean hasUnary(String op) {
        return UNARY.containsKey(op);
    }

    static boolean hasBinary(String op) {
        return BINARY.containsKey(op);
    }

    private static BigDecimal power(BigDecimal x) {
        return Exact.exp(x.multiply(Exact.LOG_2));
    }

    private static BigDecimal sinc(BigDecimal x) {
        if (x.signum() == 0) {
            return ONE;
        }
        return Exact.sinPi(x).divide(x.multiply(Exact.PI), PRECISION);
    }

    private static BigDecimal gelu(BigDecimal x) {
        BigDecimal root = x.negate().divide(BigDecimalMath.sqrt(TWO, Exact.WIDE), Exact.WIDE);
        return x.multiply(Exact.erfc(root)).divide(TWO);
    }

    private static BigDecimal geluTanh(BigDecimal x) {
        BigDecimal slope = TWO.multiply(BigDecimalMath.sqrt(TWO.divide(Exact.PI, PRECISION), PRECISION));
        BigDecimal cube = x.multiply(x).multiply(x).multiply(new BigDecimal("0.044715"));
        return x.multiply(Exact.sigmoid(slope.multiply(x.add(cube))));
    }

    private static BigDecimal sixth(BigDecimal x) {
        BigDecimal held = x.add(BigDecimal.valueOf(3)).max(BigDecimal.ZERO).min(SIX);
        return held.divide(SIX, PRECISION);
    }
}
