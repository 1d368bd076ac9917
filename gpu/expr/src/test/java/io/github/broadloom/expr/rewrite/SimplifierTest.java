package io.github.broadloom.expr.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Operands;
import io.github.broadloom.expr.Scalars;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.shape.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimplifierTest {
    private static final double[] REALS = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -2.5,
        3,
        1e-45,
        -1.4e-45,
        1.17549435e-38,
        3.4028234e38,
        1e-7,
        65504,
        6e-8,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };
    private static final long[] INTEGERS = {0, 1, -1, 2, 127, -128, 128, 255, 32767, -32768, 1L << 31, Long.MIN_VALUE};

    private final Map<String, Expr> names = new HashMap<>();

    SimplifierTest() {
        for (DType dtype : DType.values()) {
            List<Object> values = new java.util.ArrayList<>();
            if (dtype.isFloatingPoint()) {
                for (double real : REALS) {
                    values.add(((Literal) Expr.literal(real)).valueAs(dtype));
                }
            } else {
                for (long integer : INTEGERS) {
                    values.add(((Literal) Expr.literal(integer)).valueAs(dtype));
                }
            }
            Operands.Operand operand =
                    new Operands.Operand(dtype, Shape.of(values.size()), new long[] {1}, 0, List.copyOf(values));
            names.put(dtype.torchName(), operand.input());
        }
    }

    private static final List<String> FORMS = List.of(
            "-(-x)",
            "~~x",
            "abs(abs(x))",
            "sign(sign(x))",
            "relu(relu(x))",
            "round(round(x))",
            "trunc(trunc(x))",
            "x * 1",
            "x * 1.0",
            "x / 1",
            "x / 8",
            "x / -0.25",
            "x / 3",
            "x - 0",
            "x - 0.0",
            "x - -0.0",
            "x + 0",
            "x + 0.0",
            "x ** 1",
            "x ** 2",
            "x ** 2.0",
            "x ** 3",
            "where(x > 1, x, x)",
            "float32(float64(x))",
            "int8(int64(x))",
            "float16(float32(x))",
            "bool(float32(x))",
            "uint8(int32(x))",
            "int32(int16(x))",
            "float64(float32(x))",
            "logical_not(logical_not(x))",
            "(x + 1) * (x + 1)",
            "-(x * 1) / 1");

    @ParameterizedTest
    @ValueSource(strings = {"float32", "float64", "float16", "uint8", "int8", "int16", "int32", "int64", "bool"})
    void everyRuleKeepsEveryBit(String dtype) throws Exception {
        Scalars scalars = new Scalars();
        int compared = 0;
        for (String form : FORMS) {
            Expr expr;
            try {
                expr = ExprParser.parse(form, Map.of("x", names.get(dtype)));
            } catch (ExprSyntaxException refusedForThisDtype) {
                continue;
            }
            Expr simplified = Simplifier.simplify(expr);
            assertThat(simplified.dtype()).as(form).isEqualTo(expr.dtype());
            assertThat(simplified.shape()).as(form).isEqualTo(expr.shape());
            assertThat(scalars.evaluate(simplified)).as(form).isEqualTo(scalars.evaluate(expr));
            compared++;
        }
        assertThat(compared).isGreaterThan(FORMS.size() / 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "-(-x) => x",
                "x * 1 => x",
                "x - 0 => x",
                "x + 0 => (x + 0)",
                "x - -0.0 => (x - (-0.0))",
                "x / 4 => (x * 0.25)",
                "x / 3 => (x / 3)",
                "x / 1 => x",
                "(x - 1) ** 2 => square((x - 1))",
                "abs(abs(x)) => abs(x)",
                "float32(float64(x)) => x",
                "float32(int32(x)) => float32(int32(x))",
                "float64(float16(x)) => float64(float16(x))",
                "where(x > 0, x, x) => x",
                "where(x > 0, 1, 1) => where((x > 0), 1, 1)"
            })
    void workIsSavedWhereTheBitsAllowIt(String text, String simpler) {
        Expr x = Input.of("x", DType.FLOAT32, Shape.of(3));
        assertThat(Printed.of(Simplifier.simplify(ExprParser.parse(text, Map.of("x", x)))))
                .isEqualTo(simpler);
    }

    @Test
    void equalPartsBecomeOneNode() {
        Object source = new Object();
        Expr a = Expr.apply(Ops.EXP, Input.of(source, DType.FLOAT32, Shape.of(3)));
        Expr b = Expr.apply(Ops.EXP, Input.of(source, DType.FLOAT32, Shape.of(3)));
        Expr simplified = Simplifier.simplify(Expr.apply(Ops.ADD, a, b));
        assertThat(simplified.children().get(0)).isSameAs(simplified.children().get(1));
        assertThat(simplified.inputs()).hasSize(1);
    }

    @Test
    void differentReductionsAndZerosStayApart() {
        Expr x = Input.of("x", DType.FLOAT32, Shape.of(3, 3));
        Expr rows = Expr.reduce(Reduction.SUM, x, KeepDim.DROP, 0);
        Expr columns = Expr.reduce(Reduction.SUM, x, KeepDim.DROP, 1);
        Expr sums = Simplifier.simplify(Expr.apply(Ops.ADD, rows, columns));
        assertThat(sums.children().get(0)).isNotSameAs(sums.children().get(1));
        Expr zeros = Expr.apply(
                Ops.ADD,
                Expr.apply(Ops.COPYSIGN, x, Expr.literal(0.0)),
                Expr.apply(Ops.COPYSIGN, x, Expr.literal(-0.0)));
        Expr simplified = Simplifier.simplify(zeros);
        assertThat(simplified.children().get(0))
                .isNotSameAs(simplified.children().get(1));
    }
}
