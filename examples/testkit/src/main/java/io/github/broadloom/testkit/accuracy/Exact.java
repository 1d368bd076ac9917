package io.github.broadloom.testkit.accuracy;

import ch.obermuhlner.math.big.BigDecimalMath;
import java.math.BigDecimal;
import java.math.MathContext;

/** Functions of many digits that the references are made of, where the library for them has none. */
final class Exact {
    /** Far more than a double has, so that subtracting neighbours leaves enough. */
    static final MathContext PRECISION = new MathContext(70);

    /** For what is squared in an exponent. */
    static final MathContext WIDE = new MathContext(100);

    static final BigDecimal PI = BigDecimalMath.pi(PRECISION);
    static final BigDecimal LOG_2 = BigDecimalMath.log(BigDecimal.valueOf(2), PRECISION);

    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigDecimal THREE = BigDecimal.valueOf(3);

    /** Below it a few terms of a series have all the digits that a double can be compared with. */
    private static final BigDecimal TINY = new BigDecimal("1e-12");

    /** Stirling's series converges to all digits from here on. */
    private static final BigDecimal LARGE = BigDecimal.valueOf(60);

    private static final BigDecimal[] STIRLING = stirling();

    private Exact() {}

    /** Nothing that a double can tell from 0 or infinity is computed at length. */
    static BigDecimal exp(BigDecimal x) {
        if (x.abs().compareTo(BigDecimal.valueOf(3000)) > 0) {
            return x.signum() < 0 ? BigDecimal.valueOf(1, 1303) : BigDecimal.valueOf(1, -1303);
        }
        return BigDecimalMath.exp(x, PRECISION);
    }

    static BigDecimal log(BigDecimal x) {
        return BigDecimalMath.log(x, PRECISION);
    }

    static BigDecimal log1p(BigDecimal x) {
        if (x.abs().compareTo(TINY) >= 0) {
            return log(x.add(ONE));
        }
        BigDecimal square = x.multiply(x, PRECISION);
        BigDecimal cube = square.multiply(x, PRECISION);
        return x.subtract(square.divide(TWO, PRECISION))
                .add(cube.divide(THREE, PRECISION))
                .subtract(cube.multiply(x).divide(BigDecimal.valueOf(4), PRECISION));
    }

    static BigDecimal sigmoid(BigDecimal x) {
        return ONE.divide(ONE.add(exp(x.negate())), PRECISION);
    }

    static BigDecimal tanh(BigDecimal x) {
        if (x.abs().compareTo(TINY) < 0) {
            return x.subtract(x.multiply(x, PRECISION).multiply(x, PRECISION).divide(THREE, PRECISION));
        }
        BigDecimal twice = exp(x.add(x));
        return twice.subtract(ONE).divide(twice.add(ONE), PRECISION);
    }

    static BigDecimal sinPi(BigDecimal x) {
        BigDecimal turn = x.remainder(TWO);
        return BigDecimalMath.sin(turn.multiply(PI), PRECISION);
    }

    /** One less 2/√π exp(-x²) Σ 2ⁿ x²ⁿ⁺¹ / (1 · 3 · … · (2n + 1)), whose terms all have one sign; 0 from 30 on. */
    static BigDecimal erfc(BigDecimal x) {
        if (x.abs().compareTo(BigDecimal.valueOf(30)) > 0) {
            return x.signum() > 0 ? BigDecimal.ZERO : TWO;
        }
        double square = x.doubleValue() * x.doubleValue();
        MathContext digits = new MathContext(60 + (int) (square / 2.3));
        BigDecimal twice = TWO.multiply(x).multiply(x).round(digits);
        BigDecimal term = x.round(digits);
        BigDecimal sum = term;
        BigDecimal negligible = term.abs().movePointLeft(digits.getPrecision());
        for (int n = 1; term.abs().compareTo(negligible) > 0; n++) {
            term = term.multiply(twice, digits).divide(BigDecimal.valueOf(2L * n + 1), digits);
            sum = sum.add(term, digits);
        }
        BigDecimal factor = TWO.divide(BigDecimalMath.sqrt(BigDecimalMath.pi(digits), digits), digits);
        BigDecimal decay = BigDecimalMath.exp(x.multiply(x).negate(), digits);
        return ONE.subtract(factor.multiply(decay, digits).multiply(sum, digits));
    }

    /** log |Γ(x)|: Stirling's series far from zero, Γ(x + 1) = x Γ(x) to get there, reflection below zero. */
    static BigDecimal lgamma(BigDecimal x) {
        if (x.signum() <= 0) {
            BigDecimal area = x.multiply(sinPi(x)).abs();
            return log(PI.divide(area, PRECISION)).subtract(lgamma(x.negate()));
        }
        BigDecimal product = ONE;
        BigDecimal z = x;
        while (z.compareTo(LARGE) < 0) {
            product = product.multiply(z, PRECISION);
            z = z.add(ONE);
        }
        BigDecimal sum = z.subtract(new BigDecimal("0.5"))
                .multiply(log(z))
                .subtract(z)
                .add(log(PI.multiply(TWO)).divide(TWO));
        BigDecimal inverse = ONE.divide(z, PRECISION);
        BigDecimal power = inverse;
        for (BigDecimal coefficient : STIRLING) {
            sum = sum.add(coefficient.multiply(power, PRECISION));
            power = power.multiply(inverse, PRECISION).multiply(inverse, PRECISION);
        }
        return sum.subtract(log(product));
    }

    private static BigDecimal[] stirling() {
        BigDecimal[] coefficients = new BigDecimal[30];
        for (int n = 1; n <= coefficients.length; n++) {
            coefficients[n - 1] = BigDecimalMath.bernoulli(2 * n, PRECISION)
                    .divide(BigDecimal.valueOf(2L * n * (2L * n - 1)), PRECISION);
        }
        return coefficients;
    }
}
