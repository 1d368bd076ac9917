package io.github.broadloom.expr.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OpTest {
    static List<Op> rows() {
        return Op.all();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyRowIsComplete(Op op) {
        assertThat(op.name()).matches("[a-z][a-z0-9_]*");
        assertThat(op.doc()).matches(Pattern.compile(".{5,120}\\.")).doesNotContain("\n");
        assertThat(op.arity()).isBetween(1, 3);
        assertThat(op.ulp()).isBetween(0, 6);
        assertThat(Op.of(op.name())).isSameAs(op);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyTemplateUsesItsArgumentsAndIsClosed(Op op) {
        for (DType dtype : DType.values()) {
            if (op.supports(dtype)) {
                List<String> names = List.of("alpha", "beta", "gamma", "delta")
                        .subList(0, op.arity() + op.parameters().size());
                for (String text : List.of(op.java(dtype, names), op.cuda(dtype, names))) {
                    assertThat(text).doesNotContain("$").matches("[a-zA-Z_0-9. ]+|.*\\)|alpha");
                    assertThat(text.chars().filter(c -> c == '(').count())
                            .isEqualTo(text.chars().filter(c -> c == ')').count());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyDtypeHasArithmeticComparisonAndChoice(DType dtype) {
        Expr x = Input.of("x", dtype, Shape.of(2));
        assertThat(Expr.apply(Ops.ADD, x, x).dtype()).isEqualTo(dtype);
        assertThat(Expr.apply(Ops.LT, x, x).dtype()).isEqualTo(DType.BOOL);
        assertThat(Expr.apply(Ops.WHERE, Expr.apply(Ops.LT, x, x), x, x).dtype())
                .isEqualTo(dtype);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "neg; bool; Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
                "bitwise_not; float32; \"bitwise_not_cpu\" not implemented for 'Float'",
                "bitwise_not; float16; \"bitwise_not_cpu\" not implemented for 'Half'",
                "abs; bool; \"abs_cpu\" not implemented for 'Bool'",
                "floor; bool; \"floor_vml_cpu\" not implemented for 'Bool'",
                "frac; int64; \"frac_cpu\" not implemented for 'Long'",
                "relu; bool; Boolean inputs not supported for relu"
            })
    void aDtypeWithoutKernelIsRefusedInPyTorchsWords(String op, String dtype, String text) {
        assertThatThrownBy(() -> Expr.apply(Op.of(op), Input.of("x", DType.of(dtype), Shape.of(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(text);
    }

    @Test
    void theSuffixAndTheTypeFollowTheDtype() {
        assertThat(Ops.EXP.cuda(DType.FLOAT16, List.of("v"))).isEqualTo("expf(v)");
        assertThat(Ops.EXP.cuda(DType.FLOAT64, List.of("v"))).isEqualTo("exp(v)");
        assertThat(Ops.EXP.java(DType.FLOAT32, List.of("v"))).isEqualTo("((float) Math.exp(v))");
        assertThat(Ops.ADD.java(DType.BOOL, List.of("p", "q"))).isEqualTo("(p | q)");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> Op.of("sqr")).hasMessage("Cannot find operation: 'sqr'; did you mean 'sqrt'?");
    }

    @Test
    void aRowStaysItselfThroughSerialisation() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(Ops.TANH);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isSameAs(Ops.TANH);
        }
    }
}
